// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <memory>

namespace hprof::formats {

/// If `head` begins with a byte order mark, a source of the text behind it in UTF-8 without the
/// mark; else null. Unpaired surrogates become U+FFFD. Lifetime: borrows `source`.
std::unique_ptr<ByteSource> make_utf8_source(Bytes head, ByteSource& source);

}  // namespace hprof::formats
