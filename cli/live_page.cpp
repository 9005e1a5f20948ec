// SPDX-License-Identifier: Apache-2.0
#include "live_page.h"

#include <hprof/core/base/error.h>
#include <hprof/formats/flamegraph.h>

#include <string_view>

namespace hprof::cli {
namespace assets {
// Made from the files of cli/assets by cmake/HprofAssets.cmake.
std::string_view live_html();
std::string_view live_css();
std::string_view live_js();
}  // namespace assets

namespace {

std::string part(std::string_view name) {
  const formats::FlamegraphParts flame = formats::flamegraph_parts();
  if (name == "FLAME_CSS") return std::string{flame.css};
  if (name == "FLAME_BODY") return std::string{flame.body};
  if (name == "FLAME_JS") return flame.script;
  if (name == "LIVE_CSS") return std::string{assets::live_css()};
  HPROF_CHECK(name == "LIVE_JS");
  return std::string{assets::live_js()};
}

}  // namespace

std::string live_page() {
  std::string page;
  std::string_view rest = assets::live_html();
  for (;;) {
    const std::size_t at = std::min(rest.find('@'), rest.size());
    page += rest.substr(0, at);
    if (at == rest.size()) return page;
    rest.remove_prefix(at + 1);
    const std::size_t end = rest.find('@');
    HPROF_CHECK(end != std::string_view::npos);
    page += part(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
}

}  // namespace hprof::cli
