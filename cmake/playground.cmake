# SPDX-License-Identifier: Apache-2.0
# The library as WebAssembly for the page of playground/: engine.js and engine.wasm in the build folder, by
# emscripten (preset wasm). Of the command it has `run`, of the library what a run and its report need.
file(GLOB engine_sources CONFIGURE_DEPENDS playground/engine/*.c)
foreach(name job cli_plan result saving arguments access guess paths written
        commands/command_run terminal/heading terminal/json terminal/message terminal/plain)
  list(APPEND engine_sources src/cli/${name}.c)
endforeach()
add_executable(engine ${engine_sources})
target_include_directories(engine PRIVATE src/cli src include)
target_link_libraries(engine PRIVATE carom_static)
# a stack as a native thread has it; memory grows up to what a page may take
target_link_options(engine PRIVATE -O2 -sMODULARIZE=1 -sEXPORT_NAME=caromEngine -sINVOKE_RUN=0 -sEXIT_RUNTIME=0
  -sENVIRONMENT=worker,node -sFORCE_FILESYSTEM=1 -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH=1
  -sINITIAL_MEMORY=33554432 -sMAXIMUM_MEMORY=805306368 -sTOTAL_STACK=8388608
  -sEXPORTED_RUNTIME_METHODS=callMain,FS -sEXPORTED_FUNCTIONS=_main,_malloc)
