# SPDX-License-Identifier: Apache-2.0
# Programs of bench/many that look inside; built where they are asked for (bench/many/run), and by nothing else.
foreach(name warm floor)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/bench/many/${name}.c)
    add_executable(bench_${name} EXCLUDE_FROM_ALL bench/many/${name}.c)
    set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
    target_include_directories(bench_${name} PRIVATE src include ${SUITESPARSE_INCLUDE})
    target_link_libraries(bench_${name} PRIVATE ${carom_inside} m)
  endif()
endforeach()
