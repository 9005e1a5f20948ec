// SPDX-License-Identifier: Apache-2.0
// Helpers of the tests that walk other projects' profiles (named *_test.cpp to be compiled there).
#include "corpus_support.h"

#include <zlib.h>

#include <fstream>
#include <iterator>

namespace hprof::test {
namespace {

std::string gunzip(const std::string& packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return {};
  std::string out;
  std::string buffer(std::size_t{1} << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  for (int status = Z_OK; status == Z_OK;) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return out;
}

}  // namespace

std::optional<std::filesystem::path> corpus_root() {
  const std::filesystem::path root = std::filesystem::path{HPROF_SHARED} / "corpus";
  std::error_code error;
  if (!std::filesystem::is_directory(root, error)) return std::nullopt;
  return root;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
  return bytes.starts_with("\x1f\x8b") ? gunzip(bytes) : bytes;
}

Folded fold(const Profile& profile, std::size_t type) {
  Folded out;
  std::vector<LocationId> leaf_first;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    if (profile.value(type, row) == 0) continue;
    profile.stack_leaf_first(profile.sample_stack(row), leaf_first);
    std::string path;
    for (std::size_t i = leaf_first.size(); i > 0; --i) {
      for (std::size_t line = frame_count(profile, leaf_first[i - 1]); line > 0; --line) {
        if (!path.empty()) path += ';';
        path += frame_name(profile, leaf_first[i - 1], line - 1);
      }
    }
    out[path] += profile.value(type, row);
  }
  return out;
}

Folded parse_folded(std::string_view text) {
  Folded out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) continue;
    out[std::string{line.substr(0, blank)}] += std::stoll(std::string{line.substr(blank + 1)});
  }
  return out;
}

std::string difference(const Folded& expected, const Folded& found) {
  std::string out;
  int shown = 0;
  const auto show = [&](const std::string& line) {
    if (++shown <= 4) out += "\n      " + line.substr(0, 300);
  };
  for (const auto& [stack, count] : expected) {
    const auto at = found.find(stack);
    if (at == found.end()) {
      show("missing " + stack + " " + std::to_string(count));
    } else if (at->second != count) {
      show("wrong   " + stack + " " + std::to_string(count) + " is " + std::to_string(at->second));
    }
  }
  for (const auto& [stack, count] : found) {
    if (!expected.contains(stack)) show("extra   " + stack + " " + std::to_string(count));
  }
  return out;
}

}  // namespace hprof::test
