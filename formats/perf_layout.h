// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Numbers of the perf.data format.
// Source: linux/include/uapi/linux/perf_event.h, tools/perf/Documentation/perf.data-file-format.txt.
namespace hprof::formats::perf {

enum RecordType : std::uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kExit = 4,
  kThrottle = 5,
  kFork = 7,
  kSample = 9,
  kMmap2 = 10,
  kLostSamples = 13,
  kUserFirst = 64,  // from here on perf's own records, without a sample id
  kHeaderAttr = 64,
  kHeaderTracingData = 66,
  kHeaderBuildId = 67,
  kFinishedRound = 68,
  kAuxtrace = 71,
  kEventUpdate = 78,
  kHeaderFeature = 80,
  kCompressed = 81,
  kCompressed2 = 83,
};

enum SampleBit : std::uint64_t {
  kIp = 1U << 0,
  kTid = 1U << 1,
  kTime = 1U << 2,
  kAddr = 1U << 3,
  kRead = 1U << 4,
  kCallchain = 1U << 5,
  kId = 1U << 6,
  kCpu = 1U << 7,
  kPeriod = 1U << 8,
  kStreamId = 1U << 9,
  kRaw = 1U << 10,
  kBranchStack = 1U << 11,
  kRegsUser = 1U << 12,
  kStackUser = 1U << 13,
  kIdentifier = 1U << 16,
};

enum ReadFormatBit : std::uint64_t {
  kReadEnabled = 1U << 0,
  kReadRunning = 1U << 1,
  kReadId = 1U << 2,
  kReadGroup = 1U << 3,
  kReadLost = 1U << 4,
};

enum BranchBit : std::uint64_t {
  kBranchCallStack = 1U << 11,
  kBranchHwIndex = 1U << 17,
};

enum Feature : unsigned {
  kFeatureTracingData = 1,
  kFeatureBuildId = 2,
  kFeatureHostname = 3,
  kFeatureOsRelease = 4,
  kFeatureVersion = 5,
  kFeatureArch = 6,
  kFeatureCmdline = 11,
  kFeatureEventDesc = 12,
  kFeatureSampleTime = 21,
  kFeatureClockData = 29,
  kFeatureLast = 256,
};

// Bits of a record's misc field.
constexpr std::uint16_t kCpumodeMask = 7;
constexpr std::uint16_t kCpumodeKernel = 1;
constexpr std::uint16_t kCpumodeUser = 2;
constexpr std::uint16_t kMiscMmapData = 1U << 13;  // of MMAP and MMAP2
constexpr std::uint16_t kMiscCommExec = 1U << 13;  // of COMM
constexpr std::uint16_t kMiscBuildId = 1U << 14;   // of MMAP2
constexpr std::uint16_t kMiscBuildIdSize = 1U << 15;  // of HEADER_BUILD_ID

constexpr std::uint64_t kContextMax = ~std::uint64_t{0} - 4094;  // markers are from here on
constexpr std::uint64_t kContextKernel = ~std::uint64_t{0} - 127;
constexpr std::uint64_t kContextUser = ~std::uint64_t{0} - 511;

constexpr std::size_t kFileHeaderSize = 104;
constexpr std::size_t kPipeHeaderSize = 16;

}  // namespace hprof::formats::perf
