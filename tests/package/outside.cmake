# SPDX-License-Identifier: Apache-2.0
# Copied to a folder of its own as CMakeLists.txt: a project that has only the installed package.
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(hprof 0.1 REQUIRED)
add_executable(outside outside.cpp)
target_link_libraries(outside PRIVATE hprof::hprof)
