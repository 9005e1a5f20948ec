// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hprof::formats::pprof {

// Field numbers of profile.proto (package perftools.profiles). All strings are indexes into the
// string table, whose entry 0 is "".

enum ProfileField : std::uint32_t {
  kSampleType = 1,    // ValueType*
  kSample = 2,        // Sample*
  kMapping = 3,       // Mapping*
  kLocation = 4,      // Location*
  kFunction = 5,      // Function*
  kStringTable = 6,   // string*
  kDropFrames = 7,    // int64, string
  kKeepFrames = 8,    // int64, string
  kTimeNanos = 9,     // int64
  kDurationNanos = 10,
  kPeriodType = 11,   // ValueType
  kPeriod = 12,       // int64
  kComment = 13,      // int64*, string
  kDefaultSampleType = 14,  // int64, string
  kDocUrl = 15,       // int64, string
};

enum ValueTypeField : std::uint32_t { kTypeType = 1, kTypeUnit = 2 };

enum SampleField : std::uint32_t { kSampleLocation = 1, kSampleValue = 2, kSampleLabel = 3 };

enum LabelField : std::uint32_t { kLabelKey = 1, kLabelStr = 2, kLabelNum = 3, kLabelUnit = 4 };

enum MappingField : std::uint32_t {
  kMappingId = 1,
  kMappingStart = 2,
  kMappingLimit = 3,
  kMappingOffset = 4,
  kMappingFilename = 5,
  kMappingBuildId = 6,
  kMappingHasFunctions = 7,
  kMappingHasFilenames = 8,
  kMappingHasLineNumbers = 9,
  kMappingHasInlineFrames = 10,
};

enum LocationField : std::uint32_t {
  kLocationId = 1,
  kLocationMapping = 2,
  kLocationAddress = 3,
  kLocationLine = 4,
  kLocationIsFolded = 5,
};

enum LineField : std::uint32_t { kLineFunction = 1, kLineLine = 2, kLineColumn = 3 };

enum FunctionField : std::uint32_t {
  kFunctionId = 1,
  kFunctionName = 2,
  kFunctionSystemName = 3,
  kFunctionFilename = 4,
  kFunctionStartLine = 5,
};

}  // namespace hprof::formats::pprof
