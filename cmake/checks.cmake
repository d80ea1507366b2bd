# SPDX-License-Identifier: Apache-2.0
# Tests of the sources rather than of what they do: structure, and the other builds (clang with sanitizers and
# fuzz targets, a library without files). Only the release preset has them, so that they run once.
set(structure ${CMAKE_CURRENT_SOURCE_DIR}/test/structure)
foreach(check checks_catch_offenders layers_point_down sizes_are_small tables_are_complete headers_stand_alone
        format_is_clean heads_keep_their_lines operations_are_total sources_are_tidy)
  add_test(NAME ${check} COMMAND sh ${structure}/${check})
endforeach()

# the path analyser's remarks too: make tidy
add_test(NAME clang_tidy_is_silent COMMAND sh ${structure}/clang_tidy_is_silent)
set_tests_properties(clang_tidy_is_silent PROPERTIES PROCESSORS 2 COST 400 TIMEOUT 300 SKIP_RETURN_CODE 77
                     ENVIRONMENT "CMAKE_COMMAND=${CMAKE_COMMAND}")

# these compile on all processors; long ones first
function(add_build name script cost)
  add_test(NAME ${name} COMMAND sh ${structure}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS slow PROCESSORS 2 COST ${cost} TIMEOUT 900
                       ENVIRONMENT "CMAKE_COMMAND=${CMAKE_COMMAND};CTEST_COMMAND=${CMAKE_CTEST_COMMAND}")
endfunction()
add_build(clang_builds_it_with_sanitizers_and_without_warnings other_build 1000 debug)
set_tests_properties(clang_builds_it_with_sanitizers_and_without_warnings PROPERTIES FIXTURES_SETUP sanitized)
add_build(sanitized_tests other_build 900 debug --test)
set_tests_properties(sanitized_tests PROPERTIES FIXTURES_REQUIRED sanitized)
add_build(library_builds_without_files_and_hdf5 other_build 700 minimal)
add_build(installed_library_is_usable installed_library_is_usable 600)
add_build(extending_is_true extending_is_true 650)

# every fuzz target for a minute; one processor each, beside the other tests. Longer: make fuzz SECONDS=600
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME ${name}_60s COMMAND sh ${structure}/fuzz 60 ${name})
  set_tests_properties(${name}_60s PROPERTIES LABELS slow COST 500 TIMEOUT 300 FIXTURES_REQUIRED sanitized)
endforeach()
