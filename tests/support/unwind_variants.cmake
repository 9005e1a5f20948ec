# SPDX-License-Identifier: Apache-2.0
# target_unwind with its tables in other places: unwind_<variant>, each the same program.
function(hprof_unwind_variant name)
  cmake_parse_arguments(ARG "" "" "COMPILE;LINK" ${ARGN})
  add_executable(unwind_${name} "${CMAKE_CURRENT_SOURCE_DIR}/target_unwind.cpp")
  target_compile_options(unwind_${name} PRIVATE -O2 -g -fomit-frame-pointer ${ARG_COMPILE})
  target_link_options(unwind_${name} PRIVATE ${ARG_LINK})
  target_link_libraries(unwind_${name} PRIVATE Threads::Threads)
  set_target_properties(unwind_${name} PROPERTIES CXX_EXTENSIONS ON)
endfunction()

set(no_eh -fno-asynchronous-unwind-tables -fno-exceptions)
hprof_unwind_variant(static COMPILE -fno-pie LINK -static)
hprof_unwind_variant(static_pie COMPILE -fPIE LINK -static-pie)
hprof_unwind_variant(no_header LINK -Wl,--no-eh-frame-hdr)
hprof_unwind_variant(debug_frame COMPILE ${no_eh})
hprof_unwind_variant(debug_zlib COMPILE ${no_eh} LINK -Wl,--compress-debug-sections=zlib)
hprof_unwind_variant(debug_zdebug COMPILE ${no_eh} LINK -Wl,--compress-debug-sections=zlib-gnu)
hprof_unwind_variant(frame_pointer COMPILE ${no_eh} -fno-omit-frame-pointer)
# What the linker of Debian 12 cannot write: zstd tables, an image without section headers.
add_custom_target(unwind_edited ALL
  COMMAND ${CMAKE_OBJCOPY} --compress-debug-sections=zstd $<TARGET_FILE:unwind_debug_frame>
    "${CMAKE_CURRENT_BINARY_DIR}/unwind_debug_zstd" || true
  COMMAND ${CMAKE_OBJCOPY} -S $<TARGET_FILE:unwind_static> "${CMAKE_CURRENT_BINARY_DIR}/unwind_stripped"
  COMMAND ${CMAKE_OBJCOPY} -g $<TARGET_FILE:unwind_frame_pointer>
    "${CMAKE_CURRENT_BINARY_DIR}/unwind_frame_pointer_bare"
  COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/drop_section_headers.sh"
    $<TARGET_FILE:target_unwind> "${CMAKE_CURRENT_BINARY_DIR}/unwind_no_sections"
  VERBATIM)
add_dependencies(unwind_edited unwind_frame_pointer unwind_debug_frame unwind_static target_unwind)

find_program(HPROF_MUSL_GCC musl-gcc)
if(HPROF_MUSL_GCC)
  foreach(variant IN ITEMS musl musl_static)
    set(link "")
    if(variant STREQUAL "musl_static")
      set(link -static)
    endif()
    set(out "${CMAKE_CURRENT_BINARY_DIR}/unwind_${variant}")
    add_custom_command(OUTPUT "${out}"
      COMMAND ${HPROF_MUSL_GCC} -x c++ -O2 -g -fomit-frame-pointer -fno-exceptions ${link}
        "${CMAKE_CURRENT_SOURCE_DIR}/target_unwind.cpp" -o "${out}"
      DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/target_unwind.cpp" VERBATIM)
    add_custom_target(build_unwind_${variant} ALL DEPENDS "${out}")
  endforeach()
endif()
