// SPDX-License-Identifier: Apache-2.0
#include "flamegraph_data.h"

#include "gzip_sink.h"
#include "json_text.h"
#include "losses.h"
#include "name_trie.h"
#include "report_common.h"
#include "text_output.h"
#include "thread_table.h"

#include <algorithm>
#include <map>

namespace hprof::formats {
namespace {

// data    = gzip( header-size header columns )
// header-size = u32 little-endian; header = JSON, see put_header
// columns = name* up* row-node* [row-thread*] (value* for each sample type), all LEB128
//   nodes of the call tree in preorder, the root left out: its name, and by how many levels it
//   stands above a child of the node before it
//   rows by node: distance from the row before, thread, values (zigzag if "negative")
class DataWriter {
 public:
  DataWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile),
        options_(options),
        names_(profile, options.short_names),
        trie_(profile, names_),
        threads_(profile),
        negative_(has_negative(profile, options)),
        out_(sink) {
    order_nodes();
    order_rows();
  }

  Result<void> write() {
    const std::string header = header_text();
    const auto size = static_cast<std::uint32_t>(header.size());
    for (int shift = 0; shift < 32; shift += 8) out_.put(static_cast<char>((size >> shift) & 0xff));
    out_.put(header);
    put_nodes();
    put_rows();
    return out_.finish();
  }

 private:
  // Preorder numbers of paths; siblings as they came up.
  void order_nodes() {
    const std::size_t count = trie_.size();
    std::vector<PathId> first(count);
    std::vector<PathId> next(count);
    for (std::size_t i = count; i-- > 1;) {
      const PathId parent = trie_.path(static_cast<PathId>(i)).parent;
      next[i] = first[parent];
      first[parent] = static_cast<PathId>(i);
    }
    number_of_.assign(count, 0);
    preorder_.reserve(count);
    std::uint32_t up = 0;
    PathId path = first[0];
    while (path != 0) {
      preorder_.push_back({trie_.path(path).name, up});
      number_of_[path] = static_cast<std::uint32_t>(preorder_.size());
      up = 0;
      if (first[path] != 0) {
        path = first[path];
        continue;
      }
      up = 1;
      while (path != 0 && next[path] == 0) {
        path = trie_.path(path).parent;
        ++up;
      }
      if (path != 0) path = next[path];
    }
  }

  // Rows of one node and thread are summed.
  void order_rows() {
    rows_.reserve(profile_.sample_count());
    for (std::uint32_t row = 0; row < profile_.sample_count(); ++row) {
      rows_.push_back({number_of_[trie_.path_of(profile_.sample_stack(row))],
                       threads_.thread_of(profile_.sample_labels(row)), row});
    }
    std::ranges::stable_sort(rows_, [](const Row& a, const Row& b) {
      return a.node != b.node ? a.node < b.node : a.thread < b.thread;
    });
  }

  std::string header_text() {
    StringSink sink;
    TextOutput out{sink};
    put_header(out);
    return out.finish() ? sink.take() : std::string{};
  }

  void put_header(TextOutput& out) {
    out.put("{\"format\":1,\"title\":");
    put_json(out, options_.title);
    out.put(",\"types\":[");
    for (std::size_t i = 0; i < profile_.sample_types().size(); ++i) {
      const ValueType& type = profile_.sample_types()[i];
      out.put(i == 0 ? "{\"type\":" : ",{\"type\":");
      put_json(out, profile_.string(type.type));
      out.put(",\"unit\":");
      put_json(out, profile_.string(type.unit));
      out.put('}');
    }
    out.format("],\"type\":{},\"inverted\":{},\"reverse\":{},\"negative\":{}", options_.sample_type,
               options_.inverted, options_.reverse, negative_);
    out.format(",\"time_nanos\":{},\"duration_nanos\":{}", profile_.header.time_nanos,
               profile_.header.duration_nanos);
    put_names(out);
    out.put(",\"threads\":[");
    for (std::size_t i = 0; i < threads_.threads().size(); ++i) {
      if (i != 0) out.put(',');
      put_json(out, threads_.threads()[i].title());
    }
    out.format("],\"nodes\":{},\"rows\":{}}}", preorder_.size(), rows_.size());
  }

  void put_names(TextOutput& out) {
    std::map<std::string_view, std::size_t> modules;
    std::vector<std::size_t> module_numbers;
    std::vector<std::string_view> module_names;
    out.put(",\"names\":[");
    for (NameId id = 0; id < names_.size(); ++id) {
      if (id != 0) out.put(',');
      put_json(out, names_.name(id));
      const auto [at, is_new] = modules.try_emplace(module_of(profile_, names_, id), modules.size());
      if (is_new) module_names.push_back(at->first);
      module_numbers.push_back(at->second);
    }
    out.put("],\"modules\":[");
    for (std::size_t i = 0; i < module_names.size(); ++i) {
      if (i != 0) out.put(',');
      put_json(out, module_names[i]);
    }
    out.format("],\"module_of\":[{}]", fmt::join(module_numbers, ","));
  }

  void put_nodes() {
    for (const Node& node : preorder_) put_number(node.name);
    for (const Node& node : preorder_) put_number(node.up);
  }

  void put_rows() {
    std::uint32_t before = 0;
    for (const Row& row : rows_) {
      put_number(row.node - before);
      before = row.node;
    }
    if (threads_.threads().size() > 1) {
      for (const Row& row : rows_) put_number(row.thread);
    }
    for (std::size_t type = 0; type < profile_.sample_types().size(); ++type) {
      for (const Row& row : rows_) put_value(profile_.value(type, row.row));
    }
  }

  void put_value(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    put_number(!negative_ ? static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0))
                          : (bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }

  void put_number(std::uint64_t value) {
    char bytes[10];
    std::size_t size = 0;
    for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>((value & 0x7f) | 0x80);
    bytes[size++] = static_cast<char>(value);
    out_.put(std::string_view{bytes, size});
  }

  struct Node {
    NameId name;
    std::uint32_t up;
  };
  struct Row {
    std::uint32_t node;
    std::uint32_t thread;
    std::uint32_t row;
  };

  const Profile& profile_;
  const WriteOptions& options_;
  FrameNames names_;
  NameTrie trie_;
  ThreadTable threads_;
  bool negative_;
  TextOutput out_;
  std::vector<std::uint32_t> number_of_;  ///< by PathId: preorder number, the root being 0
  std::vector<Node> preorder_;
  std::vector<Row> rows_;
};

}  // namespace

Result<void> write_flamegraph_data(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  GzipSink gzip{sink, options.gzip_level > 0 ? options.gzip_level : 1};
  HPROF_TRY((DataWriter{profile, gzip, options}.write()));
  return gzip.finish();
}

}  // namespace hprof::formats
