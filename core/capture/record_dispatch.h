// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample_source.h"

namespace hprof {

/// Decodes one record and tells the consumer, its process table and the source what it means.
/// `event` and `slowdown` weigh samples.
class RecordDispatch {
 public:
  RecordDispatch(SampleConsumer& consumer, SampleSource& source, const EventSpec& event,
                 unsigned slowdown, bool with_user_stack)
      : consumer_(consumer),
        source_(source),
        event_(event),
        slowdown_(slowdown),
        with_user_stack_(with_user_stack) {}

  void operator()(Bytes record);

 private:
  [[nodiscard]] std::int64_t weigh(const SampleRecord& sample) const;

  SampleConsumer& consumer_;
  SampleSource& source_;
  const EventSpec& event_;
  unsigned slowdown_;
  bool with_user_stack_;
};

}  // namespace hprof
