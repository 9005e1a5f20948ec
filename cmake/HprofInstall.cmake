# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

# Installs hprof-config.cmake, its version file and hprof.pc beside the exported targets.
function(hprof_install_package)
  set(dir "${CMAKE_INSTALL_LIBDIR}/cmake/hprof")
  install(EXPORT hprof-targets NAMESPACE hprof:: DESTINATION ${dir})
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hprof-config.cmake.in"
    "${PROJECT_BINARY_DIR}/hprof-config.cmake" INSTALL_DESTINATION ${dir})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/hprof-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/hprof-config.cmake"
    "${PROJECT_BINARY_DIR}/hprof-config-version.cmake" DESTINATION ${dir})
  # Relative to hprof.pc itself, so that `cmake --install --prefix` and packages may move the tree.
  file(RELATIVE_PATH HPROF_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/hprof.pc.in" "${PROJECT_BINARY_DIR}/hprof.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/hprof.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
