// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::test {

/// Puts numbers together in one byte order.
class Packer {
 public:
  explicit Packer(std::endian order = std::endian::little) : order_(order) {}
  template <typename T>
  Packer& put(T value) {
    if (order_ != std::endian::native) value = byteswap(value);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  Packer& u16(std::uint16_t v) { return put(v); }
  Packer& u32(std::uint32_t v) { return put(v); }
  Packer& u64(std::uint64_t v) { return put(v); }
  Packer& text(std::string_view v) { return bytes_.append(v), *this; }
  /// A NUL-terminated string padded to eight bytes.
  Packer& padded(std::string_view v) {
    bytes_.append(v);
    do bytes_.push_back('\0');
    while (bytes_.size() % 8 != 0);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::endian order_;
  std::string bytes_;
};

/// Writes perf.data files for tests, as perf would, in either byte order.
class PerfDataMaker {
 public:
  explicit PerfDataMaker(std::endian byte_order = std::endian::little) : order(byte_order) {}

  struct Event {
    std::uint32_t type = 1;
    std::uint64_t config = 0;
    std::uint64_t period = 1000;
    std::uint64_t sample_type = 0;
    std::uint64_t branch_type = 0;
    std::uint64_t regs_user = 0;
    bool freq = false;
    bool sample_id_all = true;
    std::vector<std::uint64_t> ids;
  };

  std::endian order;
  std::vector<Event> events;
  std::string data;                                        ///< records
  std::vector<std::pair<unsigned, std::string>> features;  ///< ascending

  [[nodiscard]] Packer pack() const { return Packer{order}; }
  [[nodiscard]] std::string record(std::uint32_t type, std::uint16_t misc, std::string_view body) const;
  void add(std::uint32_t type, std::uint16_t misc, std::string_view body) { data += record(type, misc, body); }

  [[nodiscard]] std::string attr(const Event& event) const;
  [[nodiscard]] std::string file(std::string_view magic = "PERFILE2") const;
  [[nodiscard]] std::string pipe() const;
};

}  // namespace hprof::test
