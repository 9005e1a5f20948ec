# SPDX-License-Identifier: Apache-2.0

# Included: hprof_embed_assets(<target> <folder> <namespace>) makes a function `std::string_view
# <file with _ for other characters>()` in <namespace> for each file of the folder.
# Run by `cmake -P`: writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(code "// SPDX-License-Identifier: Apache-2.0\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
  foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" name)
    file(READ "${file}" text)
    # A literal longer than 64 KiB is not portable: pieces of 8,000 characters are joined.
    string(LENGTH "${text}" length)
    set(literal "")
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${text}" ${at} 8000 piece)
      string(APPEND literal "R\"asset~(${piece})asset~\"\n")
      math(EXPR at "${at} + 8000")
    endwhile()
    string(APPEND code "std::string_view ${name}() {\n  using namespace std::string_view_literals;\n")
    string(APPEND code "  return\n${literal}\"\"sv;\n}\n")
  endforeach()
  string(APPEND code "}  // namespace ${NAMESPACE}\n")
  file(WRITE "${OUTPUT}" "${code}")
  return()
endif()

set(HPROF_ASSETS_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(hprof_embed_assets target folder namespace)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_assets.cpp")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${files}" "-DOUTPUT=${output}" "-DNAMESPACE=${namespace}"
            -P "${HPROF_ASSETS_SCRIPT}"
    DEPENDS ${files} "${HPROF_ASSETS_SCRIPT}" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
