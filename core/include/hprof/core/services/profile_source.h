// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/raw_profile.h>
#include <hprof/core/capture/sample_store.h>

#include <functional>
#include <memory>

namespace hprof {

/// Where the profiles of one kind of one target come from, for a service that writes them.
/// One thread uses it.
class ProfileSource {
 public:
  virtual ~ProfileSource() = default;
  /// What came since the last cut (a window), or how things stand now (a snapshot).
  /// Header: time_nanos is the window's start, duration_nanos its length.
  /// Errors: a snapshot could not be taken; the source stays usable.
  virtual Result<RawProfile> cut() = 0;

  ProfileSource(const ProfileSource&) = delete;
  ProfileSource& operator=(const ProfileSource&) = delete;
  ProfileSource(ProfileSource&&) = delete;
  ProfileSource& operator=(ProfileSource&&) = delete;

 protected:
  ProfileSource() = default;
};

/// Windows of a sample store, through a cursor of its own: other readers are not disturbed.
class StoreSource final : public ProfileSource {
 public:
  /// `settle`, if given, is called before a cut: it returns once the samples of the past have been
  /// counted, so that a window ends where it was meant to.
  explicit StoreSource(std::shared_ptr<SampleStore> store, std::function<void()> settle = {})
      : store_(std::move(store)), cursor_(store_->open_cursor()), settle_(std::move(settle)) {}

  Result<RawProfile> cut() override {
    if (settle_) settle_();
    return store_->cut(cursor_);
  }

 private:
  std::shared_ptr<SampleStore> store_;
  SampleStore::Cursor cursor_;
  std::function<void()> settle_;
};

}  // namespace hprof
