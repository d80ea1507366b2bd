// SPDX-License-Identifier: Apache-2.0
// What writing and reading HDF5 share: no printing, texts, names in the files.
#include "output/hdf5/hdf5_shared.h"

const char *const carom_hdf5_group[CAROM_N_GROUP] = {
    "t",  "q",   "u",     "energy", "gap", "rate", "P",   "la",    "slip",
    "PT", "laT", "drift", "PC",     "laC", "PJ",   "laJ", "record"};

const char carom_hdf5_lines[] = "contacts";
const carom_hdf5_entry carom_hdf5_line[] = {{"t", offsetof(carom_contact_line, t)},
                                            {"gap", offsetof(carom_contact_line, gap)},
                                            {"rate", offsetof(carom_contact_line, rate)},
                                            {"P", offsetof(carom_contact_line, P)},
                                            {"la", offsetof(carom_contact_line, la)},
                                            {"point_x", offsetof(carom_contact_line, point[0])},
                                            {"point_y", offsetof(carom_contact_line, point[1])},
                                            {"point_z", offsetof(carom_contact_line, point[2])},
                                            {"normal_x", offsetof(carom_contact_line, normal[0])},
                                            {"normal_y", offsetof(carom_contact_line, normal[1])},
                                            {"normal_z", offsetof(carom_contact_line, normal[2])},
                                            {NULL, 0}};

const carom_hdf5_entry carom_hdf5_line_body[] = {{"body_1", offsetof(carom_contact_line, body[0])},
                                                 {"body_2", offsetof(carom_contact_line, body[1])},
                                                 {NULL, 0}};

#define AUDIT(name)                                                                                \
    {                                                                                              \
#name, offsetof(carom_audit, name)                                                         \
    }
const carom_hdf5_entry carom_hdf5_audit[] = {
    AUDIT(min_gap),         AUDIT(max_drift),
    AUDIT(residual),        {"residual_goal", offsetof(carom_audit, goal)},
    AUDIT(cone_violation),  AUDIT(energy_start),
    AUDIT(energy_end),      AUDIT(kinetic_end),
    AUDIT(potential_end),   AUDIT(work),
    AUDIT(impact_loss),     AUDIT(friction_loss),
    AUDIT(energy_error),    AUDIT(largest_rise),
    AUDIT(largest_kinetic), AUDIT(model_size),
    AUDIT(min_gap_time),    AUDIT(max_drift_time),
    AUDIT(residual_time),   {0}};
const carom_hdf5_entry carom_hdf5_audit_text[] = {
    AUDIT(min_gap_at), AUDIT(max_drift_at), AUDIT(residual_at), AUDIT(warnings), {0}};

#define COUNT(name)                                                                                \
    {                                                                                              \
#name, offsetof(carom_counts, name)                                                        \
    }
const carom_hdf5_entry carom_hdf5_counts[] = {COUNT(steps),
                                              COUNT(impact_steps),
                                              COUNT(contact_steps),
                                              COUNT(events),
                                              COUNT(unconverged),
                                              COUNT(solver_iterations),
                                              COUNT(rejected),
                                              COUNT(evaluations),
                                              COUNT(energy_rises),
                                              COUNT(ambiguous),
                                              {0}};

carom_hdf5_printer carom_hdf5_silence(void)
{
    carom_hdf5_printer was = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &was.print, &was.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return was;
}

void carom_hdf5_restore(carom_hdf5_printer was)
{
    H5Eset_auto2(H5E_DEFAULT, was.print, was.data);
}

hid_t carom_hdf5_text_type(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    if (bytes == H5T_VARIABLE) H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

hid_t carom_hdf5_utf8_type(size_t bytes)
{
    const hid_t type = carom_hdf5_text_type(bytes);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

hid_t carom_hdf5_timeless(void)
{
    const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(form, false);
    return form;
}
