# SPDX-License-Identifier: Apache-2.0
# Libraries, headers, command, models, their parts, papers, manual page, documentation, and how others find them:
# pkg-config and a CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS carom_shared EXPORT caromTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS carom_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/models)
install(DIRECTORY parts/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/parts)
install(DIRECTORY papers/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/papers)
install(DIRECTORY templates/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/templates)
install(FILES docs/carom-model.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
install(FILES README.md ARCHITECTURE.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET carom_command)
  install(TARGETS carom_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# what makes shells complete, from the command's own tables; not where the command cannot be run here
if(TARGET carom_command AND NOT CMAKE_CROSSCOMPILING)
  foreach(shell bash zsh)
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/completion.${shell} DEPENDS carom_command
                       COMMAND carom_command completion ${shell} >${CMAKE_BINARY_DIR}/completion.${shell})
  endforeach()
  add_custom_target(completion ALL DEPENDS ${CMAKE_BINARY_DIR}/completion.bash ${CMAKE_BINARY_DIR}/completion.zsh)
  install(FILES ${CMAKE_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME carom OPTIONAL)
  install(FILES ${CMAKE_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          RENAME _carom OPTIONAL)
endif()
if(TARGET carom_mpi)
  install(TARGETS carom_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
file(GLOB manual_pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/man/*.1)
if(manual_pages)
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# the CMake package: find_package(carom), then carom::carom
install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
configure_package_config_file(cmake/caromConfig.cmake.in ${CMAKE_BINARY_DIR}/caromConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/caromConfig.cmake ${CMAKE_BINARY_DIR}/caromConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

# pkg-config; the prefix is where the file itself is found, so that the tree can be moved
set(carom_requires)
set(carom_dl)
foreach(library ${CMAKE_DL_LIBS})
  string(APPEND carom_dl " -l${library}")
endforeach()
set(carom_private)
foreach(library ${SUITESPARSE_NAMES})
  string(APPEND carom_private " -l${library}")
endforeach()
if(CAROM_FILES)
  string(APPEND carom_requires " libfyaml")
endif()
if(CAROM_HDF5)
  string(APPEND carom_requires " ${HDF5_MODULE_NAME}")
endif()
string(REGEX REPLACE "[^/]+" ".." CAROM_PC_UP ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(cmake/carom.pc.in ${CMAKE_BINARY_DIR}/carom.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
