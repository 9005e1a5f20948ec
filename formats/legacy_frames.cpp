// SPDX-License-Identifier: Apache-2.0
#include "legacy_frames.h"

namespace hprof::formats {
namespace {

constexpr std::string_view kAllocators =
    R"(calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc|)"
    R"(tcmalloc::.*|tc_calloc|tc_cfree|tc_malloc|tc_free|tc_memalign|tc_posix_memalign|tc_pvalloc|)"
    R"(tc_valloc|tc_realloc|tc_new|tc_delete|tc_newarray|tc_deletearray|tc_new_nothrow|)"
    R"(tc_newarray_nothrow|malloc_zone_malloc|malloc_zone_calloc|malloc_zone_valloc|)"
    R"(malloc_zone_realloc|malloc_zone_memalign|malloc_zone_free|runtime\..*|BaseArena::.*|)"
    R"((::)?do_malloc_no_errno|(::)?do_malloc_pages|(::)?do_malloc|DoSampledAllocation|)"
    R"(MallocedMemBlock::MallocedMemBlock|_M_allocate|__builtin_(vec_)?delete|__builtin_(vec_)?new|)"
    R"(__gnu_cxx::new_allocator::allocate|__libc_malloc|__malloc_alloc_template::allocate|allocate|)"
    R"(cpp_alloc|operator new(\[\])?|simple_alloc::allocate)";
constexpr std::string_view kKeptAllocators =
    R"(runtime\.panic|runtime\.reflectcall|runtime\.call[0-9]*)";
constexpr std::string_view kSignalHandlers =
    R"(ProfileData::Add|ProfileData::prof_handler|CpuProfiler::prof_handler|__pthread_sighandler|)"
    R"(__restore)";
constexpr std::string_view kLocks =
    R"(RecordLockProfileData|(base::)?RecordLockProfileData.*|(base::)?SubmitMutexProfileData.*|)"
    R"((base::)?SubmitSpinLockProfileData.*|(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|)"
    R"((base::Mutex::)?UnlockSlow.*|(base::Mutex::)?ReaderUnlock.*|(base::MutexLock::)?~MutexLock.*|)"
    R"((Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*|)"
    R"((MutexLock::)?~MutexLock.*|(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|)"
    R"((SpinLockHolder::)?~SpinLockHolder.*)";

}  // namespace

LegacyFrames legacy_frames(const std::vector<std::pair<std::string, std::string>>& types) {
  const std::string_view first = types.empty() ? std::string_view{} : types.front().first;
  if (first == "objects" || first == "inuse_objects" || first == "alloc_objects") {
    return {kAllocators, kKeptAllocators};
  }
  if (first == "contentions") return {kLocks, {}};
  return {kSignalHandlers, {}};
}

}  // namespace hprof::formats
