# SPDX-License-Identifier: Apache-2.0
# Every test/fuzz/fuzz_<what>.c is one libFuzzer program, linked with an instrumented library. A line "replaces NAME" in its
# head gives calls of NAME in the library to __wrap_NAME of the program.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/fuzz_*.c)
add_custom_target(fuzz_targets)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  target_include_directories(${name} PRIVATE src test)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  file(STRINGS ${source} replaced LIMIT_COUNT 20 REGEX "^// +replaces ")
  foreach(line ${replaced})
    string(REGEX REPLACE "^// +replaces ([a-z0-9_]+).*" "-Wl,--wrap=\\1" option ${line})
    target_link_options(${name} PRIVATE ${option})
  endforeach()
  target_link_libraries(${name} PRIVATE carom_static m)
  add_dependencies(fuzz_targets ${name})
endforeach()
