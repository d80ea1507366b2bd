# SPDX-License-Identifier: Apache-2.0
# What programs of this tree link for HDF5. Debian's shared library draws in forty others (curl, Kerberos, LDAP ...),
# which cost 10 ms and 6 MB in every start of the command; its archive needs only zlib and libaec. Where the archive is
# missing or does not link, the shared library serves.
include(CheckCSourceCompiles)
find_library(HDF5_ARCHIVE libhdf5.a HINTS ${HDF5_LIBRARY_DIRS} ${HDF5_LIBDIR})
find_library(SZ_ARCHIVE libsz.a)
find_library(AEC_ARCHIVE libaec.a)
add_library(carom_hdf5 INTERFACE)
set(archives ${HDF5_ARCHIVE} ${SZ_ARCHIVE} ${AEC_ARCHIVE} z ${CMAKE_DL_LIBS} m)
if(HDF5_ARCHIVE AND SZ_ARCHIVE AND AEC_ARCHIVE)
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  check_c_source_compiles("#include <hdf5.h>
    int main(void) { return H5open() < 0 || H5Fis_hdf5(\"x\") > 0; }" CAROM_HDF5_ARCHIVE_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(CAROM_HDF5_ARCHIVE_LINKS)
  target_link_libraries(carom_hdf5 INTERFACE ${archives})
else()
  target_link_libraries(carom_hdf5 INTERFACE PkgConfig::HDF5)
endif()
