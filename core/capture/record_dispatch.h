// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample_source.h"

namespace hprof {

/// What a sample stands for.
struct Weighing {
  unsigned slowdown = 1;  ///< samples are taken this many times as rarely as asked
  bool thin = false;      ///< by leaving out most of what the kernel delivers
};

/// Decodes one record and tells the consumer, its process table and the source what it means.
class RecordDispatch {
 public:
  RecordDispatch(SampleConsumer& consumer, SampleSource& source, const EventSpec& event,
                 Weighing weighing, bool with_user_stack)
      : consumer_(consumer),
        source_(source),
        event_(event),
        weighing_(weighing),
        with_user_stack_(with_user_stack) {}

  void operator()(Bytes record);

 private:
  [[nodiscard]] std::int64_t weigh(const SampleRecord& sample) const;
  void on_sample(const SampleRecord& sample, std::int64_t time);

  SampleConsumer& consumer_;
  SampleSource& source_;
  const EventSpec& event_;
  Weighing weighing_;
  bool with_user_stack_;
};

}  // namespace hprof
