// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The files of formats/assets as text, put into the library by cmake/HprofAssets.cmake.
namespace hprof::formats::assets {

std::string_view flamegraph_svg_css();
std::string_view flamegraph_svg_js();
std::string_view flamegraph_html();
std::string_view flamegraph_body_html();
std::string_view flamegraph_css();
std::string_view flamegraph_model_js();
std::string_view flamegraph_painter_js();
std::string_view flamegraph_controls_js();

}  // namespace hprof::formats::assets
