# SPDX-License-Identifier: Apache-2.0
# Every test/<layer>/test_<what>.c is one cmocka program, known as <layer>_<what>. A program whose first lines contain
# "label: slow" is slow; one that "counts allocations" has malloc and its kin wrapped.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/test_*.c
     ${CMAKE_CURRENT_SOURCE_DIR}/test/*/test_*.c)
list(REMOVE_DUPLICATES test_sources)
if(NOT CAROM_HDF5)
  list(FILTER test_sources EXCLUDE REGEX "hdf5")
endif()
if(NOT CAROM_FILES OR NOT CAROM_HDF5 OR NOT CAROM_REPORT) # it calls everything
  list(FILTER test_sources EXCLUDE REGEX "test/api/")
endif()
foreach(source ${test_sources})
  get_filename_component(what ${source} NAME_WE)
  get_filename_component(layer ${source} DIRECTORY)
  get_filename_component(layer ${layer} NAME)
  string(REGEX REPLACE "^test_(${layer}_)?" "${layer}_" name ${what})
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
  target_include_directories(${name} PRIVATE src test ${SUITESPARSE_INCLUDE})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>) # the library is what runs; half the time to compile
  target_include_directories(${name} SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE CAROM_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
                             CAROM_COMMAND="${CMAKE_BINARY_DIR}/carom")
  file(STRINGS ${source} counts LIMIT_COUNT 12 REGEX "counts allocations")
  set(library ${carom_inside})
  if(counts)
    set(library carom_static) # what is counted must be inside the program
    target_link_options(${name} PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
  endif()
  target_link_libraries(${name} PRIVATE ${library} PkgConfig::CMOCKA m)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  file(STRINGS ${source} slow LIMIT_COUNT 12 REGEX "label: slow")
  if(slow)
    set_tests_properties(${name} PROPERTIES LABELS slow COST 600)
  endif()
endforeach()

# the calls of test/api/test_misuse.c are written from the public headers
if(TARGET api_misuse)
  set(walk ${CMAKE_CURRENT_SOURCE_DIR}/test/api/walk)
  file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/carom/*.h)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/walk/walk.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/walk
    COMMAND awk -f ${walk}.awk ${walk}_values.h ${public_headers} >${CMAKE_BINARY_DIR}/walk/walk.h
    DEPENDS ${walk}.awk ${walk}_values.h ${public_headers})
  target_sources(api_misuse PRIVATE ${CMAKE_BINARY_DIR}/walk/walk.h)
  target_include_directories(api_misuse PRIVATE ${CMAKE_BINARY_DIR}/walk)
endif()

# shell scripts test/<layer>/test_<what>.sh: tests of the command as a person calls it
file(GLOB test_scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/test_*.sh)
foreach(script ${test_scripts})
  get_filename_component(what ${script} NAME_WE)
  get_filename_component(layer ${script} DIRECTORY)
  get_filename_component(layer ${layer} NAME)
  string(REGEX REPLACE "^test_(${layer}_)?" "${layer}_" name ${what})
  add_test(NAME ${name} COMMAND sh ${script} ${CMAKE_BINARY_DIR}/carom)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
                       ENVIRONMENT "CAROM_COMMAND=${CMAKE_BINARY_DIR}/carom;CAROM_SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}")
  file(STRINGS ${script} slow LIMIT_COUNT 12 REGEX "label: slow")
  if(slow)
    set_tests_properties(${name} PROPERTIES LABELS slow COST 600 TIMEOUT 600)
  endif()
endforeach()

# it compiles the library for the page, on all processors, where emscripten is there
if(TEST playground_playground)
  set_tests_properties(playground_playground PROPERTIES PROCESSORS 2 COST 950 TIMEOUT 900)
endif()

if(CAROM_NESTED)
  include(cmake/checks.cmake)
endif()
