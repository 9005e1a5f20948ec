# SPDX-License-Identifier: Apache-2.0

# hprof_add_library(<folder>): makes hprof_<folder> (alias hprof::<folder>) from every .cpp below the
# folder; public headers are the FILE_SET below <folder>/include.
function(hprof_add_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/*.h")
  add_library(hprof_${folder} STATIC ${sources})
  add_library(hprof::${folder} ALIAS hprof_${folder})
  set_target_properties(hprof_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(hprof_${folder} PUBLIC cxx_std_20)
  set_target_properties(hprof_${folder} PROPERTIES CXX_EXTENSIONS OFF)
  target_sources(hprof_${folder} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${CMAKE_CURRENT_SOURCE_DIR}/include" FILES ${headers})
  target_link_libraries(hprof_${folder} PRIVATE $<BUILD_INTERFACE:hprof_warnings>)
  install(TARGETS hprof_${folder} EXPORT hprof-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
