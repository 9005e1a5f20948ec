// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/encoded_pointer.h"

namespace hprof::symbolize {
namespace {

constexpr std::uint8_t kFormMask = 0x0f;
constexpr std::uint8_t kBaseMask = 0x70;

std::optional<std::uint64_t> read_form(ByteReader& reader, std::uint8_t form) {
  const auto extended = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (form) {
    case 0x00:  // absptr
    case 0x04:  // udata8
    case 0x08:  // signed
    case 0x0c:  // sdata8
      return reader.u64();
    case 0x01:
      return reader.uleb();
    case 0x02:
      return reader.u16();
    case 0x03:
      return reader.u32();
    case 0x09:
      return extended(reader.sleb());
    case 0x0a:
      return extended(reader.read<std::int16_t>());
    case 0x0b:
      return extended(reader.read<std::int32_t>());
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::uint64_t> read_encoded_pointer(ByteReader& reader, std::uint8_t encoding,
                                                  const PointerBases& bases) {
  if (encoding == kPointerOmitted) return std::nullopt;
  std::uint64_t base = 0;
  switch (encoding & kBaseMask) {
    case 0x00:
      break;
    case 0x10:
      base = bases.section + reader.position();
      break;
    case 0x20:
      base = bases.text;
      break;
    case 0x30:
      base = bases.data;
      break;
    case 0x40:
      base = bases.function;
      break;
    case 0x50: {  // aligned: an absolute word at the next multiple of its size
      const std::uint64_t at = bases.section + reader.position();
      reader.skip((8 - at % 8) % 8);
      break;
    }
    default:
      return std::nullopt;
  }
  const std::optional<std::uint64_t> value = read_form(reader, encoding & kFormMask);
  if (!value || !reader.ok()) return std::nullopt;
  return base + *value;
}

}  // namespace hprof::symbolize
