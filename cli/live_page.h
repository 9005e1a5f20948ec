// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hprof::cli {

/// The page of hprof serve: one document that loads nothing but the server's own data.
std::string live_page();

}  // namespace hprof::cli
