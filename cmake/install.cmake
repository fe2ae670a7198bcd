# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# The installed tree: headers, a CMake package with the components host and cuda, and a pkg-config file. Nothing in it
# depends on the processor or on the machine that installed it.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory ${CMAKE_INSTALL_DATADIR}/cmake/causal_conv1d)

install(TARGETS causal_conv1d_host EXPORT causal_conv1d-host FILE_SET HEADERS)
install(TARGETS causal_conv1d EXPORT causal_conv1d-cuda FILE_SET HEADERS)
foreach(component host cuda)
  install(
    EXPORT causal_conv1d-${component}
    FILE causal_conv1d-${component}-targets.cmake
    NAMESPACE causal_conv1d::
    DESTINATION ${package_directory})
endforeach()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/causal_conv1d-config.cmake.in ${PROJECT_BINARY_DIR}/package/causal_conv1d-config.cmake
  INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO)
# While the major version is 0 a new minor version may change the interface.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/causal_conv1d-config-version.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/package/causal_conv1d-config.cmake
              ${PROJECT_BINARY_DIR}/package/causal_conv1d-config-version.cmake DESTINATION ${package_directory})

# The prefix is given relative to the file, so that the installed tree can be moved.
file(RELATIVE_PATH path_to_prefix "/${CMAKE_INSTALL_DATADIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" path_to_prefix "${path_to_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/causal_conv1d.pc.in ${PROJECT_BINARY_DIR}/package/causal_conv1d.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/causal_conv1d.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
