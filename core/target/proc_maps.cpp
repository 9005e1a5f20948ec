// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/proc_maps.h>

#include <charconv>

namespace hprof {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// Takes fields off the front of a line of maps; any misfit makes ok() false.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }

  template <typename T>
  T number(int base) {
    T value = 0;
    const auto [end, error] =
        std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
    if (error != std::errc{}) ok_ = false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }
  void expect(char c) {
    if (text_.empty() || text_.front() != c) {
      ok_ = false;
      return;
    }
    text_.remove_prefix(1);
  }
  bool flag(char set) {
    if (text_.empty()) ok_ = false;
    if (!ok_) return false;
    const bool is_set = text_.front() == set;
    text_.remove_prefix(1);
    return is_set;
  }
  void skip_spaces() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
  bool ok_ = true;
};

/// The kernel writes a newline in a path as \012 (seq_file_path with "\n"), and nothing else so.
std::string unescape(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.substr(i, 4) == "\\012") {
      out += '\n';
      i += 3;
    } else {
      out += path[i];
    }
  }
  return out;
}

}  // namespace

// 55d0c8a00000-55d0c8a02000 r-xp 00001000 fd:01 1234567      /usr/bin/cat (deleted)
std::optional<MapsEntry> parse_maps_line(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  Fields fields{line};
  MapsEntry entry;
  entry.start = fields.number<std::uint64_t>(16);
  fields.expect('-');
  entry.end = fields.number<std::uint64_t>(16);
  fields.expect(' ');
  entry.readable = fields.flag('r');
  entry.writable = fields.flag('w');
  entry.executable = fields.flag('x');
  entry.shared = fields.flag('s');
  fields.expect(' ');
  entry.file_offset = fields.number<std::uint64_t>(16);
  fields.expect(' ');
  entry.device_major = fields.number<std::uint32_t>(16);
  fields.expect(':');
  entry.device_minor = fields.number<std::uint32_t>(16);
  fields.expect(' ');
  entry.inode = fields.number<std::uint64_t>(10);
  if (!fields.ok() || entry.start >= entry.end) return std::nullopt;
  if (!fields.rest().empty()) fields.expect(' ');
  if (!fields.ok()) return std::nullopt;
  fields.skip_spaces();
  std::string_view path = fields.rest();
  if (path.size() > kDeleted.size() && path.ends_with(kDeleted)) {
    path.remove_suffix(kDeleted.size());
    entry.deleted = true;
  }
  entry.path = unescape(path);
  return entry;
}

std::vector<MapsEntry> parse_maps(std::string_view text, std::size_t* skipped) {
  std::vector<MapsEntry> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (std::optional<MapsEntry> entry = parse_maps_line(line)) {
      out.push_back(std::move(*entry));
    } else if (skipped != nullptr && !line.empty()) {
      ++*skipped;
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace hprof
