// SPDX-License-Identifier: Apache-2.0
#include "profile_builder.h"

namespace hprof {

ProfileBuilder::ProfileBuilder(const SampleRows& rows, const StoreOptions& options,
                               bool with_process)
    : rows_(rows), with_process_(with_process) {
  Profile& p = raw_.profile;
  for (const SampleType& type : options.types) p.add_sample_type(type.type, type.unit);
  p.header.period_type = {p.intern(options.period_type.type), p.intern(options.period_type.unit)};
  p.header.period = options.period;
  if (!options.types.empty()) {
    p.header.default_sample_type = p.intern(options.types.back().type);
  }
  raw_.modules.emplace_back();
}

MappingId ProfileBuilder::mapping(std::uint32_t id) {
  if (id == 0) return 0;
  const auto [at, is_new] = mappings_.try_emplace(id, 0);
  if (!is_new) return at->second;
  const StackTable::MappingEntry& entry = rows_.table().mapping(id);
  Mapping mapping;
  mapping.start = entry.start;
  mapping.limit = entry.end;
  mapping.file_offset = entry.file_offset;
  if (entry.module != nullptr) {
    mapping.filename = raw_.profile.intern(entry.module->path);
    mapping.build_id = raw_.profile.intern(entry.module->build_id);
  }
  at->second = raw_.profile.add_mapping(mapping);
  raw_.modules.resize(at->second + std::size_t{1});
  raw_.modules[at->second] = entry.module;
  return at->second;
}

LocationId ProfileBuilder::named_location(std::string_view name) {
  const Line line{raw_.profile.intern_function(name), 0, 0};
  return raw_.profile.intern_location(0, 0, {&line, 1});
}

LocationId ProfileBuilder::location(std::uint32_t id) {
  const auto [at, is_new] = locations_.try_emplace(id, 0);
  if (!is_new) return at->second;
  const StackTable::Place& place = rows_.table().place(id);
  at->second = place.name != 0
                   ? named_location(rows_.table().string(place.name))
                   : raw_.profile.intern_location(mapping(place.mapping), place.address);
  return at->second;
}

StackId ProfileBuilder::stack(std::uint32_t node, StringId process) {
  const StackTable& table = rows_.table();
  // Walk up to the first node that is known under this process, then down again.
  std::vector<std::uint32_t> open;
  StackId at = 0;
  const std::uint64_t tag = with_process_ ? std::uint64_t{process} << 32 : 0;
  for (; node != 0; node = table.node(node).parent) {
    const auto known = stacks_.find(tag | node);
    if (known != stacks_.end()) {
      at = known->second;
      break;
    }
    open.push_back(node);
  }
  if (node == 0 && with_process_) {
    at = raw_.profile.intern_stack(0, named_location(table.string(process)));
  }
  for (auto step = open.rbegin(); step != open.rend(); ++step) {
    at = raw_.profile.intern_stack(at, location(table.node(*step).place));
    stacks_.emplace(tag | *step, at);
  }
  return at;
}

LabelSetId ProfileBuilder::labels(std::uint32_t id) {
  const auto [at, is_new] = labels_.try_emplace(id, 0);
  if (!is_new) return at->second;
  const StackTable& table = rows_.table();
  const StackTable::Who& who = table.who(id);
  Profile& p = raw_.profile;
  std::vector<Label> labels;
  if (who.thread != 0) labels.push_back(p.text_label("thread", table.string(who.thread)));
  if (who.tid != 0) labels.push_back(p.number_label("tid", who.tid));
  if (with_process_) labels.push_back(p.number_label("pid", who.pid));
  for (const auto& [key, text] : who.labels) {
    labels.push_back(p.text_label(table.string(key), table.string(text)));
  }
  at->second = p.intern_labels(labels);
  return at->second;
}

void ProfileBuilder::add_news(const TakenValues& taken) {
  std::vector<std::int64_t> news(rows_.columns());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (!rows_.has_news(row, taken)) continue;
    for (std::size_t i = 0; i < news.size(); ++i) {
      const std::size_t cell = row * rows_.columns() + i;
      news[i] = rows_.values()[cell] - (cell < taken.size() ? taken[cell] : 0);
    }
    const StringId process = rows_.table().who(rows_.who(row)).process;
    raw_.profile.add_sample(stack(rows_.stack(row), process), labels(rows_.who(row)), news);
  }
}

}  // namespace hprof
