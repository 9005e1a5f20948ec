// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <string>

namespace hprof {

/// The GNU build-id among ELF notes, in lower-case hex; empty if there is none.
/// Source: elf(5), "Notes (Nhdr)".
std::string build_id_of_notes(Bytes notes);

/// The running kernel's, from the notes it shows at `path` (/sys/kernel/notes); empty if it cannot
/// be read.
std::string kernel_build_id(const std::string& path);

}  // namespace hprof
