# SPDX-License-Identifier: Apache-2.0
# Warnings of our own code. They are errors only where HPROF_WERROR is set (developer presets).
option(HPROF_WERROR "Treat warnings as errors" OFF)
add_library(hprof_warnings INTERFACE)
target_compile_options(hprof_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wimplicit-fallthrough>
  $<$<BOOL:${HPROF_WERROR}>:-Werror>)
