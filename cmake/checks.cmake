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
set_tests_properties(clang_tidy_is_silent PROPERTIES PROCESSORS 2 COST 900 TIMEOUT 300 SKIP_RETURN_CODE 77
                     ENVIRONMENT "CMAKE_COMMAND=${CMAKE_COMMAND}")

# These compile on all processors. They start first (COST), because two free processors are hard to come by later: what
# waits for them at the end waits for the longest test beside an idle processor. Then come those of one processor, long
# ones first (slow ones have COST 600, cmake/tests.cmake).
function(add_build name script cost)
  add_test(NAME ${name} COMMAND sh ${structure}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS slow PROCESSORS 2 COST ${cost} TIMEOUT 900
                       ENVIRONMENT "CMAKE_COMMAND=${CMAKE_COMMAND};CTEST_COMMAND=${CMAKE_CTEST_COMMAND}")
endfunction()
add_build(clang_builds_it_with_sanitizers_and_without_warnings other_build 1000 debug)
set_tests_properties(clang_builds_it_with_sanitizers_and_without_warnings PROPERTIES FIXTURES_SETUP sanitized)
add_build(installed_library_is_usable installed_library_is_usable 980)
# on a copy of the sources, which is built without files and HDF5
add_build(extending_is_true_without_files_and_hdf5 extending_is_true 960)

# every fourth of the fast tests under sanitizers, each with one processor, so that none waits for another's end
foreach(share RANGE 1 4)
  add_test(NAME sanitized_tests_${share} COMMAND sh ${structure}/sanitized_tests ${share} 4)
  set_tests_properties(sanitized_tests_${share} PROPERTIES LABELS slow COST 800 TIMEOUT 900 FIXTURES_REQUIRED sanitized
                       ENVIRONMENT "CTEST_COMMAND=${CMAKE_CTEST_COMMAND}")
endforeach()

# every fuzz target for 20 s, for a minute in .ci/run; one processor each, beside the other tests. Longer: make fuzz SECONDS=600
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME ${name} COMMAND sh ${structure}/fuzz - ${name})
  set_tests_properties(${name} PROPERTIES LABELS slow COST 500 TIMEOUT 300 FIXTURES_REQUIRED sanitized)
endforeach()
