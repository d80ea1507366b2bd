# SPDX-License-Identifier: Apache-2.0
# The page of `carom report`: npm fetches what package-lock.json names into the build folder, esbuild bundles viewer/,
# and the result becomes a C source that is linked into the library.
find_program(NODE_COMMAND NAMES node nodejs)
find_program(NPM_COMMAND npm)
if(NOT NODE_COMMAND OR NOT NPM_COMMAND)
  message(FATAL_ERROR "carom report needs nodejs (18 or later) and npm to be built: install them, or configure with "
          "-DCAROM_REPORT=OFF")
endif()
set(viewer_source ${CMAKE_CURRENT_SOURCE_DIR}/viewer)
set(viewer_build ${CMAKE_BINARY_DIR}/viewer)
set(viewer_page ${viewer_build}/page.c)
file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${viewer_source}/src/* ${viewer_source}/build.mjs ${viewer_source}/tsconfig.json)
set(viewer_locks ${viewer_source}/package.json ${viewer_source}/package-lock.json)

add_custom_command(
  OUTPUT ${viewer_build}/installed
  COMMAND ${CMAKE_COMMAND} -E make_directory ${viewer_build}
  COMMAND ${CMAKE_COMMAND} -E copy ${viewer_locks} ${viewer_build}
  COMMAND ${NPM_COMMAND} ci --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${viewer_build}/installed
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/viewer
  DEPENDS ${viewer_locks} COMMENT "Fetching the viewer's packages" VERBATIM)
file(MAKE_DIRECTORY ${viewer_build})
add_custom_command(
  OUTPUT ${viewer_page}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${viewer_build}/src
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${viewer_source}/src ${viewer_build}/src
  COMMAND ${CMAKE_COMMAND} -E copy ${viewer_source}/build.mjs ${viewer_source}/tsconfig.json ${viewer_build}
  COMMAND ${NODE_COMMAND} ${viewer_build}/build.mjs ${viewer_page}
  DEPENDS ${viewer_build}/installed ${viewer_files} COMMENT "Bundling the viewer" VERBATIM)
