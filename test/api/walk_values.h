// SPDX-License-Identifier: Apache-2.0
// What the public functions are called with: VALID_<function>_<argument> or VALID_<type> is a good
// value, OPTIONAL_<function>_<argument> marks a pointer that may be NULL, SKIP_<function> one that
// is not called with good values. Read by walk.awk and by the compiler.
#ifndef CAROM_TEST_WALK_VALUES_H
#define CAROM_TEST_WALK_VALUES_H

#include "api/walk_rig.h"
#include "api/walk_studies.h"

// ---- good values by type ----

#define VALID_carom_error_ptr(r) (&(r)->error)
#define VALID_int(r) 0
#define VALID_unsigned(r) WALK_ALL
#define VALID_double(r) 1.0
#define VALID_bool(r) false
#define VALID_size_t(r) ((size_t)4)
#define VALID_char_ptr(r) "text"
#define VALID_carom_text(r) rig_text("name")
#define VALID_double_ptr(r) ((r)->number)
#define VALID_int_ptr(r) (&(r)->n_int)
#define VALID_long_ptr(r) (&(r)->n_long)
#define VALID_char_ptr_ptr(r) (&(r)->c_text)
#define VALID_unsigned_ptr(r) walk_masks
#define VALID_carom_model_ptr(r) walk_model(r)
#define VALID_carom_model_ptr_ptr(r) (&(r)->model)
#define VALID_carom_linear_ptr(r) walk_linear(r)
#define VALID_carom_linear_ptr_ptr(r) (&(r)->linear)
#define VALID_carom_eval_ptr(r) walk_eval(r)
#define VALID_carom_builder_ptr(r) walk_builder(r)
#define VALID_carom_plan_ptr(r) walk_plan(r)
#define VALID_carom_plan_ptr_ptr(r) (&(r)->plan)
#define VALID_carom_point_ptr(r) walk_point(r)
#define VALID_carom_mass_ptr(r) (walk_eval(r)->mass)
#define VALID_carom_sim_ptr(r) walk_sim(r)
#define VALID_carom_sim_reaction_sim(r) walk_pendulum_sim(r)
#define VALID_carom_pose_ptr(r) (&(carom_pose){0})
#define VALID_carom_model_pose_model(r) walk_pendulum(r)
#define VALID_carom_model_body_name_model(r) walk_pendulum(r)
#define VALID_carom_model_joint_name_model(r) walk_pendulum(r)
#define VALID_carom_sim_ptr_ptr(r) (&(r)->sim)
#define VALID_carom_model_elastic_model(r) walk_elastic_model(r)
#define VALID_carom_elastic_text_ptr(r) walk_elastic()
#define VALID_carom_elastic_facts_ptr(r) (&(carom_elastic_facts){0})
#define VALID_carom_sim_options_ptr(r) walk_options()
#define VALID_carom_results_ptr(r) walk_results(r)
#define VALID_carom_results_ptr_ptr(r) (&(r)->results)
#define VALID_carom_sparse_ptr(r) walk_sparse()
#define VALID_carom_problem_ptr(r) walk_problem()
#define VALID_carom_family_ptr(r) (&(carom_family){0})
#define VALID_carom_paper_ptr(r) (*walk_papers(r))
#define VALID_carom_paper_ptr_ptr(r) (&(r)->paper)
#define VALID_carom_probe_ptr(r) walk_probe(r)
#define VALID_carom_probe_ptr_ptr(r) (&(r)->probe)
#define VALID_carom_contact_solver_ptr(r) walk_solver(r)
#define VALID_carom_contact_solver_ptr_ptr(r) (&(r)->solver)
#define VALID_carom_step_ptr(r) walk_step_of(r)
#define VALID_carom_file_kind(r) CAROM_FILE_LCP
#define VALID_carom_file_kind_ptr(r) (&(r)->kind)
#define VALID_carom_file_storage(r) CAROM_STORAGE_DENSE
#define VALID_carom_file_storage_ptr(r) (&(r)->storage)
#define VALID_carom_file_form(r) ((carom_file_form){0})
#define VALID_carom_contact_info_ptr(r) (&(r)->info)
#define VALID_carom_output_ptr(r) walk_output(r)
#define VALID_carom_output_ptr_ptr(r) (&(r)->output)
#define VALID_carom_output_head_ptr(r) (&(carom_output_head){.model = "walk"})
#define VALID_carom_contact_terms_ptr(r) walk_terms(r)
#define VALID_carom_setting_ptr(r) NULL
#define VALID_carom_contact_text_ptr(r) walk_contact_text()
#define VALID_carom_audit_ptr(r) (&(r)->audit)
#define VALID_carom_counts_ptr(r) (&(r)->counts)
#define VALID_carom_report_options_ptr(r) (&(carom_report_options){.most_points = 1000})
#define VALID_carom_report_notes_ptr(r) (&(r)->notes)
#define VALID_carom_vtk_options_ptr(r) (&(carom_vtk_options){.to = 1, .most_frames = 10})
#define VALID_carom_vtk_notes_ptr(r) (&(carom_vtk_notes){0})
#define VALID_carom_film_options_ptr(r) (&(carom_film_options){.to = 1})
#define VALID_carom_film_notes_ptr(r) (&(carom_film_notes){0})
#define VALID_carom_modelfile_ptr(r) walk_modelfile(r)
#define VALID_carom_modelfile_ptr_ptr(r) (&(r)->modelfile)
#define VALID_carom_measure_ptr(r) walk_measure()
#define VALID_carom_contact_file_ptr(r) walk_contact_file(r)
#define VALID_carom_contact_file_ptr_ptr(r) (&(r)->contact_file)
#define VALID_carom_save_choice_ptr(r) walk_choice(r)
#define VALID_carom_rows_visitor(r) ((carom_rows_visitor){.rows = walk_take_rows})
#define VALID_carom_lines_visitor(r) ((carom_lines_visitor){.lines = walk_take_lines})
#define VALID_carom_slots_ptr(r) NULL // only a refresh has them
#define VALID_unsigned_long_long_ptr(r) (&(unsigned long long){1})
#define VALID_carom_reproduce_options_ptr(r) (&(carom_reproduce_options){.n_thread = 1})
#define VALID_carom_figure_ptr(r) walk_figure()
#define VALID_carom_energy(r) CAROM_POTENTIAL
#define VALID_carom_table_points_ptr(r) walk_points()
#define VALID_carom_logged_event_ptr_ptr(r) (&(r)->event)
#define VALID_carom_contact_saver_ptr(r) walk_saver(r)
#define VALID_carom_contact_saver_ptr_ptr(r) (&(r)->saver)
#define VALID_carom_redundancy_ptr(r) (&(r)->redundancy)
#define VALID_carom_restitution_ptr(r) ((r)->restitution)
#define VALID_carom_equilibrium_ptr(r) (&(r)->equilibrium)
#define VALID_carom_modes_find_modes(r) (&(r)->modes)
#define VALID_carom_modes_free_modes(r) (&(r)->modes)
#define VALID_carom_modes_ptr(r) walk_modes(r)
#define VALID_carom_state_space_make_input(r) NULL
#define OPTIONAL_carom_state_space_make_input
#define VALID_carom_state_space_make_space(r) (&(r)->space)
#define VALID_carom_state_space_free_space(r) (&(r)->space)
#define VALID_carom_state_space_ptr(r) walk_space(r)
#define VALID_carom_state_space_write_path(r) walk_path("space.npz")
#define VALID_carom_fit_ptr(r) walk_fit(r)
#define VALID_carom_scan_unit_ptr(r) (&(carom_scan_unit){0})
#define VALID_carom_scan_unit_at_scan(r) walk_scanned(r)
#define VALID_carom_comparison_ptr(r) (&(r)->comparison)
#define VALID_carom_text_sink(r) ((carom_text_sink){.write = walk_take_text})
#define VALID_carom_study_ptr(r) walk_study(r)
#define VALID_carom_recorder(r) ((carom_recorder){0})
#define VALID_carom_problem_facts_ptr(r) (&(r)->facts)
#define VALID_carom_force_text_ptr(r) walk_force()
#define VALID_carom_friction_text_ptr(r) walk_friction()
#define VALID_carom_drawing_text_ptr(r) walk_drawing()
#define VALID_carom_space(r) CAROM_PLANE
#define VALID_carom_vector_text_ptr(r) walk_vector()
#define VALID_carom_body_text_ptr(r) walk_body()
#define VALID_carom_fitting_text_ptr(r) walk_fitting()
#define VALID_carom_stiffest_ptr(r) (&(carom_stiffest){1, 0})
#define VALID_carom_material_text_ptr(r)                                                           \
    (&(carom_material_text){.between = {rig_text("steel"), rig_text("steel")}})
#define VALID_carom_detection_text_ptr(r) (&(carom_detection_text){.is_off = true})
#define VALID_carom_callbacks_ptr(r) walk_callbacks()
#define VALID_carom_watch(r) ((carom_watch){0})
#define VALID_carom_verdict(r) CAROM_DIFFERS
#define VALID_carom_event_kind(r) CAROM_SLIP
#define VALID_carom_claim_ptr(r) carom_paper_claim(*walk_papers(r), 0)
#define VALID_carom_lock_ptr_ptr(r) (&(r)->lock)
#define VALID_carom_file_reading(r) ((carom_file_reading){CAROM_FILE_LCP, NULL})
#define VALID_carom_limits_ptr(r) (&(r)->limits)
#define VALID_carom_scan_ptr(r) walk_scanned(r)
#define VALID_carom_scan_ptr_ptr(r) (&(r)->scan)
#define VALID_carom_scan_free_scan(r) walk_take_scan(r)
#define VALID_carom_scan_texts_ptr(r) walk_scan_texts()
#define VALID_carom_scan_work_ptr(r) (&(carom_scan_work){.n_thread = 1})
#define VALID_carom_scan_read_store(r) walk_store(r)
#define VALID_carom_scan_merge_store(r) walk_path("merged.caromdb")
#define VALID_carom_scan_merge_from(r) (&(const char *){walk_store(r)})
#define VALID_carom_scan_merge_n(r) 1
#define VALID_carom_study_file_ptr(r) walk_study_file(r)
#define VALID_carom_study_file_ptr_ptr(r) (&(r)->study_file)
#define VALID_carom_study_file_free_file(r) walk_take_study_file(r)
#define VALID_carom_study_file_read_path(r) walk_study_text()
#define VALID_carom_study_file_read_limits(r) NULL
#define OPTIONAL_carom_study_file_read_limits
#define VALID_carom_scan_export_path(r) walk_path("scan.csv")
#define VALID_carom_scan_export_json_path(r) walk_path("scan.json")
#define VALID_long(r) 0
#define VALID_carom_moment_ptr(r) (&(carom_moment){0, (r)->number, (r)->number})
#define VALID_carom_change_ptr(r) (&(carom_change){(r)->number, (r)->number, -1})
#define VALID_carom_stop_ptr(r) (&(carom_stop){.t = 0, .contact = -1})
#define VALID_carom_reached_ptr(r) (&(carom_reached){CAROM_REACHED_END})
#define VALID_carom_parameter_ptr(r) (&(carom_parameter){"name", 2})
#define VALID_carom_access_ptr(r) (&(carom_access){0})

// enumerations, whose members may be out of range
#define ENUM_carom_file_kind
#define ENUM_carom_file_storage
#define ENUM_carom_energy
#define ENUM_carom_space
#define ENUM_carom_verdict
#define ENUM_carom_event_kind

// ---- good values of some arguments ----

#define VALID_carom_builder_parameter_name(r) rig_text("another")
#define VALID_carom_builder_parameter_value(r) rig_text("1")
#define VALID_carom_builder_coordinate_name(r) rig_text("y")
#define VALID_carom_builder_rotation_name(r) rig_text("turning")
#define VALID_carom_builder_rotation_quaternion(r) ((const carom_text[4]){{.text = NULL}})
#define VALID_carom_builder_rotation_spin(r) ((const carom_text[3]){{.text = NULL}})
#define VALID_carom_builder_unit_coordinate(r) rig_text("x")
#define VALID_carom_builder_surface_patch(r) walk_patch()
#define VALID_carom_builder_surface_n_patch(r) 1
#define VALID_carom_builder_set_name(r) rig_text("name")
#define VALID_carom_builder_assemble_what(r) CAROM_ASSEMBLE_POSITIONS
#define VALID_carom_builder_live_name(r) rig_text("name")
#define OPTIONAL_carom_builder_live_name
#define VALID_carom_plan_set_plan(r) walk_live_plan(r)
#define VALID_carom_plan_set_n(r) 1
#define VALID_carom_sim_set_parameters_sim(r) walk_live_sim(r)
#define VALID_carom_sim_set_parameters_n(r) 1
#define VALID_carom_sim_start_from_sim(r) walk_live_sim(r)
#define VALID_carom_sim_start_from_from(r) (&(carom_moment){0, (r)->number, (r)->number})
#define VALID_carom_sim_start_from_n(r) 1
#define VALID_carom_sim_vary_sim(r) walk_varied_sim(r)
#define VALID_carom_sim_vary_n(r) 1
#define VALID_carom_sim_varied_sim(r) walk_varied_sim(r)
#define VALID_carom_sim_varied_i(r) 0
#define VALID_carom_sim_row_state(r) carom_sim_state(walk_sim(r))
#define VALID_carom_sim_set_end_end(r) 1e3
#define VALID_carom_lock_new_path(r) walk_path("locked")
#define VALID_carom_limits_set_name(r) "rows"
#define VALID_carom_limits_set_value(r) "10"
#define VALID_carom_csv_name_buffer(r) ((char *)(r)->number)
#define VALID_carom_text_plain_text(r) ((char *)(r)->number)
#define VALID_carom_plan_new_n_mask(r) 2
#define VALID_carom_linear_new_n(r) 4
#define VALID_carom_linear_resize_n(r) 3
#define VALID_carom_linear_new_max_entries(r) 64
#define VALID_carom_dynamics_free_velocity_u(r) ((r)->number + 8)
#define VALID_carom_dynamics_contact_u(r) ((r)->number + 8)
#define VALID_carom_dynamics_correct_l(r) ((r)->number + 8)
#define VALID_carom_dynamics_correct_q(r) ((r)->number + 16)
#define VALID_carom_mass_times_y(r) ((r)->number + 8)
#define VALID_carom_contact_solver_new_name(r) "auto"
#define VALID_carom_contact_solver_new_setting(r)                                                  \
    (&(carom_setting){rig_text("tolerance"), rig_text("1e-10")})
#define VALID_carom_contact_solver_new_n_setting(r) 1
#define VALID_carom_contact_file_read_path(r) walk_path("lcp.dat")
#define VALID_carom_contact_file_parse_text(r) walk_problem_text
#define VALID_carom_contact_file_parse_size(r) strlen(walk_problem_text)
#define VALID_carom_contact_file_read_with_path(r) walk_path("lcp.dat")
#define VALID_carom_contact_file_parse_with_text(r) walk_problem_text
#define VALID_carom_contact_file_parse_with_size(r) strlen(walk_problem_text)
#define VALID_carom_contact_problem_write_path(r) walk_path("written.dat")
#define VALID_carom_contact_file_write_path(r) walk_path("written.dat")
#define VALID_carom_contact_file_velocity_v(r) ((r)->number + 8)
#define VALID_carom_start_file_read_path(r) walk_path("start.yaml")
#define VALID_carom_start_file_read_limits(r) NULL
#define VALID_carom_modelfile_read_path(r) walk_path("models/ball.yaml")
#define VALID_carom_modelfile_read_text_text(r) walk_ball
#define VALID_carom_modelfile_read_text_length(r) strlen(walk_ball)
#define VALID_carom_modelfile_read_with_path(r) walk_path("models/ball.yaml")
#define VALID_carom_modelfile_read_text_with_text(r) walk_ball
#define VALID_carom_modelfile_read_text_with_length(r) strlen(walk_ball)
#define VALID_carom_output_continue_path(r) walk_path("continued.csv")
#define VALID_carom_output_continue_events_path(r) walk_path("continued-events.csv")
#define VALID_carom_output_open_path(r) walk_path("opened.csv")
#define VALID_carom_output_open_events_path(r) walk_path("events.csv")
#define VALID_carom_output_close_output(r) walk_take_output(r)
#define VALID_carom_results_open_path(r) walk_path("rows.csv")
#define VALID_carom_results_open_with_path(r) walk_path("rows.csv")
#define VALID_carom_results_open_with_limits(r) NULL
#define VALID_carom_results_visit_n_column(r) 1
#define VALID_carom_compare_csv_path_a(r) walk_path("rows.csv")
#define VALID_carom_compare_csv_path_b(r) walk_path("rows.csv")
#define VALID_carom_compare_csv_with_path_a(r) walk_path("rows.csv")
#define VALID_carom_compare_csv_with_path_b(r) walk_path("rows.csv")
#define VALID_carom_compare_csv_with_limits(r) NULL
#define VALID_carom_sim_checkpoint_path(r) walk_path("checkpoint")
#define VALID_carom_sim_restart_path(r) walk_path("start.checkpoint")
#define VALID_carom_sim_resume_path(r) walk_path("start.checkpoint")
#define VALID_carom_sim_forget_parts_path(r) walk_path("checkpoint")
#define VALID_carom_sim_native_why(r) (&(r)->why)
#define VALID_carom_probe_new_n(r) 1
#define VALID_carom_figure_write_path(r) walk_path("figure.svg")
#define VALID_carom_report_write_run(r) (walk_results(r), &(r)->results)
#define VALID_carom_report_write_n_run(r) 1
#define VALID_carom_report_write_path(r) walk_path("page.html")
#define VALID_carom_film_write_run(r) (walk_results(r), &(r)->results)
#define VALID_carom_film_write_n_run(r) 1
#define VALID_carom_film_write_path(r) walk_path("run.mp4")
#define VALID_carom_vtk_write_run(r) (walk_results(r), (r)->results)
#define VALID_carom_vtk_write_path(r) walk_path("run.vtkhdf")
#define VALID_carom_paper_read_path(r) walk_path("papers/paper.yaml")
#define VALID_carom_paper_read_text_text(r) walk_paper_text
#define VALID_carom_paper_read_text_length(r) strlen(walk_paper_text)
#define VALID_carom_paper_write_page_path(r) walk_path("paper.html")
#define VALID_carom_reproduce_paper(r) walk_papers(r)
#define VALID_carom_reproduce_n(r) 1
#define VALID_carom_reproduce_count_paper(r) walk_papers(r)
#define VALID_carom_reproduce_count_n(r) 1

// ---- what may be NULL, as the headers say ----

#define OPTIONAL_carom_builder_describe_name
#define OPTIONAL_carom_builder_describe_about
#define OPTIONAL_carom_builder_describe_source
#define OPTIONAL_carom_builder_coordinate_family
#define OPTIONAL_carom_builder_coordinate_start
#define OPTIONAL_carom_builder_coordinate_rate
#define OPTIONAL_carom_builder_rotation_family
#define OPTIONAL_carom_builder_rotation_quaternion
#define OPTIONAL_carom_builder_rotation_spin
#define OPTIONAL_carom_builder_define_family
#define OPTIONAL_carom_builder_energy_family
#define OPTIONAL_carom_builder_constraint_family
#define OPTIONAL_carom_builder_rate_family
#define OPTIONAL_carom_builder_record_family
#define OPTIONAL_carom_contact_errors_err_rel
#define OPTIONAL_carom_contact_errors_err_max
#define OPTIONAL_carom_contact_solver_new_name
#define OPTIONAL_carom_contact_solver_save_saver
#define OPTIONAL_carom_contact_problem_write_guess
#define OPTIONAL_carom_modelfile_read_text_name
#define OPTIONAL_carom_start_file_read_limits
#define OPTIONAL_carom_builder_limit_limits
#define OPTIONAL_carom_compare_csv_with_limits
#define OPTIONAL_carom_results_open_with_limits
#define OPTIONAL_carom_modelfile_read_with_access
#define OPTIONAL_carom_modelfile_read_text_with_access
#define OPTIONAL_carom_modelfile_read_text_with_name
#define OPTIONAL_carom_output_close_output
#define OPTIONAL_carom_output_close_audit
#define OPTIONAL_carom_output_close_counts
#define OPTIONAL_carom_sim_audit_gap
#define OPTIONAL_carom_sim_native_why
#define OPTIONAL_carom_probe_new_bad
#define OPTIONAL_carom_report_write_notes
#define OPTIONAL_carom_film_write_notes
#define OPTIONAL_carom_vtk_write_notes
#define OPTIONAL_carom_paper_read_text_name
// without an error to fill, the step's own is used
#define OPTIONAL_carom_event_word_kind
// a compiler is not needed to try what is NULL
#define SKIP_carom_film_write // nor for a film
#define SKIP_carom_vtk_write  // the rig's rows hold no model to show
#define SKIP_carom_plan_compile
#define SKIP_carom_fit_run // there is nothing that it could be fitted to
#define SKIP_carom_builder_new

#endif
