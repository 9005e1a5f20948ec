// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debuginfo/debuginfod.h"

#include <hprof/core/base/unique_fd.h>

#include <dlfcn.h>
#include <stdlib.h>

namespace hprof::symbolize {
namespace {

using Client = void;
using SteadyClock = std::chrono::steady_clock;

}  // namespace

// The functions used of debuginfod.h, whose soname is the same since elfutils 0.178.
struct Debuginfod::Library {
  void* handle = nullptr;
  Client* (*begin)() = nullptr;
  void (*end)(Client*) = nullptr;
  int (*find_debuginfo)(Client*, const unsigned char*, int, char**) = nullptr;
  void (*set_progress)(Client*, int (*)(Client*, long, long)) = nullptr;
  void (*set_user_data)(Client*, void*) = nullptr;
  void* (*get_user_data)(Client*) = nullptr;

  static Library*& for_progress() {
    // The progress callback gets only the client; its library must be found from there.
    thread_local Library* current = nullptr;
    return current;
  }

  static int progress(Client* client, long /*done*/, long /*total*/) {
    const Library* library = for_progress();
    const auto* deadline = static_cast<SteadyClock::time_point*>(library->get_user_data(client));
    return SteadyClock::now() >= *deadline ? 1 : 0;
  }

  template <typename F>
  bool bind(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    return function != nullptr;
  }

  bool load() {
    handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle != nullptr && bind(begin, "debuginfod_begin") && bind(end, "debuginfod_end") &&
           bind(find_debuginfo, "debuginfod_find_debuginfo") &&
           bind(set_progress, "debuginfod_set_progressfn") &&
           bind(set_user_data, "debuginfod_set_user_data") &&
           bind(get_user_data, "debuginfod_get_user_data");
  }

  ~Library() {
    if (handle != nullptr) dlclose(handle);
  }
};

Debuginfod::Debuginfod(std::chrono::milliseconds budget) : budget_(budget) {}

Debuginfod::~Debuginfod() = default;

std::string Debuginfod::find(const std::string& build_id) {
  const std::lock_guard lock{mutex_};
  if (!tried_) {
    tried_ = true;
    library_ = std::make_unique<Library>();
    if (!library_->load()) library_.reset();
  }
  if (!library_ || budget_.count() <= 0 || getenv("DEBUGINFOD_URLS") == nullptr)
    return {};  // NOLINT(concurrency-mt-unsafe)
  const auto start = SteadyClock::now();
  SteadyClock::time_point deadline = start + budget_;
  Client* client = library_->begin();
  if (client == nullptr) return {};
  Library::for_progress() = library_.get();
  library_->set_user_data(client, &deadline);
  library_->set_progress(client, &Library::progress);
  char* path = nullptr;
  const UniqueFd fd{library_->find_debuginfo(
      client, reinterpret_cast<const unsigned char*>(build_id.c_str()), 0, &path)};
  const std::string found = fd.valid() && path != nullptr ? path : "";
  free(path);
  library_->end(client);
  budget_ -= std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start);
  return found;
}

}  // namespace hprof::symbolize
