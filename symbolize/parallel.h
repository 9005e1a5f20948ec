// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace hprof::symbolize {

/// Runs `work(0) .. work(count - 1)` on up to `threads` threads and returns when all are done.
/// `keep_on(done)` is asked on the calling thread, at least ten times a second; once it says false
/// no further piece is begun. Returns false then.
bool run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool(std::size_t)>& keep_on);

}  // namespace hprof::symbolize
