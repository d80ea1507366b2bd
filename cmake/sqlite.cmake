# SPDX-License-Identifier: Apache-2.0
# What programs of this tree link for SQLite: the archive, because the shared library has thousands of addresses to be
# looked up in every start of the command, a quarter of what a short run costs. Where the archive is missing or does not
# link, the shared library serves.
include(CheckCSourceCompiles)
find_library(SQLITE_ARCHIVE libsqlite3.a HINTS ${SQLITE_LIBRARY_DIRS} ${SQLITE_LIBDIR})
add_library(carom_sqlite INTERFACE)
set(archives ${SQLITE_ARCHIVE} z ${CMAKE_DL_LIBS} m Threads::Threads)
if(SQLITE_ARCHIVE)
  set(CMAKE_REQUIRED_INCLUDES ${SQLITE_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  check_c_source_compiles("#include <sqlite3.h>
    int main(void) { return sqlite3_initialize(); }" CAROM_SQLITE_ARCHIVE_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(CAROM_SQLITE_ARCHIVE_LINKS)
  target_link_libraries(carom_sqlite INTERFACE ${archives})
else()
  target_link_libraries(carom_sqlite INTERFACE PkgConfig::SQLITE)
endif()
