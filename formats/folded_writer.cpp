// SPDX-License-Identifier: Apache-2.0
#include "folded_writer.h"

#include "frame_names.h"
#include "losses.h"
#include "name_trie.h"
#include "text_output.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {
namespace {

struct Sums {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

void put_name(TextOutput& out, std::string_view name) {
  constexpr auto is_special = [](char c) {
    return c == ';' || static_cast<unsigned char>(c) < 0x20;
  };
  while (!name.empty()) {
    const auto at = static_cast<std::size_t>(std::ranges::find_if(name, is_special) - name.begin());
    out.put(name.substr(0, at));
    if (at == name.size()) return;
    out.put(name[at] == ';' ? ':' : ' ');
    name.remove_prefix(at + 1);
  }
}

class FoldedWriter {
 public:
  FoldedWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        names_(profile, options.short_names),
        paths_(profile, names_),
        out_(sink),
        sums_(paths_.size()),
        difference_(has_negative(profile, options)) {}

  Result<void> write() {
    sum_up();
    // Rows come in the order of the samples; a path is written where it comes first.
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      const PathId path = paths_.path_of(profile_.sample_stack(row));
      Sums& sums = sums_[path];
      if (sums.before != 0 || sums.after != 0) put_line(path, sums);
      sums = {};
    }
    return out_.finish();
  }

 private:
  void sum_up() {
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      const std::int64_t value = profile_.value(options_.sample_type, row);
      Sums& sums = sums_[paths_.path_of(profile_.sample_stack(row))];
      std::int64_t& side = value < 0 ? sums.before : sums.after;
      const auto bits = static_cast<std::uint64_t>(value);
      side = static_cast<std::int64_t>(static_cast<std::uint64_t>(side) +
                                       (value < 0 ? std::uint64_t{0} - bits : bits));
    }
  }

  void put_line(PathId path, const Sums& sums) {
    chain_.clear();
    for (; path != 0; path = paths_.path(path).parent) chain_.push_back(paths_.path(path).name);
    if (chain_.empty()) out_.put("[unknown]");
    for (std::size_t i = chain_.size(); i-- > 0;) {
      put_name(out_, names_.name(chain_[i]));
      if (i != 0) out_.put(';');
    }
    if (difference_) {
      out_.put(' ');
      out_.number(sums.before);
    }
    out_.put(' ');
    out_.number(sums.after);
    out_.put('\n');
  }

  const Profile& profile_;
  const WriteOptions& options_;
  FrameNames names_;
  NameTrie paths_;
  TextOutput out_;
  std::vector<Sums> sums_;
  std::vector<NameId> chain_;
  bool difference_;
};

}  // namespace

Result<void> write_folded(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  note_losses(profile, options, "folded", {});
  if (!options.negative && has_negative(profile, options)) {
    add_note(options, "values below zero: written as differential folded, before and after");
  }
  return FoldedWriter{profile, sink, options}.write();
}

Result<void> write_diff_folded(const Profile& profile, ByteSink& sink,
                               const WriteOptions& options) {
  WriteOptions difference = options;
  difference.negative = true;
  return write_folded(profile, sink, difference);
}

}  // namespace hprof::formats
