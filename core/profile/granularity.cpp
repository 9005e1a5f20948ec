// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/granularity.h>

#include "trie_rewrite.h"

#include <hprof/core/profile/function_names.h>

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace hprof {
namespace {

struct Name {
  std::string_view name;
  Granularity value;
};

constexpr std::array<Name, 6> kNames = {
    Name{"functions", Granularity::functions},         Name{"files", Granularity::files},
    Name{"filefunctions", Granularity::filefunctions}, Name{"lines", Granularity::lines},
    Name{"addresses", Granularity::addresses},         Name{"modules", Granularity::modules},
};

std::string module_name(const Profile& profile, MappingId id) {
  if (id == 0) return "[unknown]";
  const std::string_view path = profile.string(profile.mapping(id).filename);
  const std::size_t slash = path.rfind('/');
  const std::string_view base = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return base.empty() ? "[unknown]" : std::string{base};
}

class Aggregator {
 public:
  Aggregator(Profile& profile, const AggregateOptions& options) : p_(profile), options_(options) {}

  void run() {
    const std::uint32_t functions = p_.function_count();
    functions_.assign(functions + std::size_t{1}, 0);
    for (FunctionId id = 1; id <= functions; ++id) functions_[id] = function(id);
    const std::uint32_t locations = p_.location_count();
    locations_.assign(locations + std::size_t{1}, 0);
    for (LocationId id = 1; id <= locations; ++id) locations_[id] = location(id);
    stacks();
    mappings();
  }

 private:
  [[nodiscard]] bool is(Granularity g) const { return options_.granularity == g; }

  FunctionId function(FunctionId id) {
    Function f = p_.function(id);
    if (options_.short_names) f.name = p_.intern(short_function_name(p_.string(f.name)));
    if (is(Granularity::functions)) {
      f.filename = 0;
      f.start_line = 0;
    }
    if (is(Granularity::files)) {
      const StringId shown = f.filename != 0 ? f.filename : p_.intern("[unknown]");
      f = {.name = shown, .system_name = shown, .filename = f.filename};
    }
    return p_.intern_function(f);
  }

  LocationId location(LocationId id) {
    const Location l = p_.location(id);
    if (is(Granularity::modules)) return module(l.mapping);
    std::vector<Line> lines{p_.lines(id).begin(), p_.lines(id).end()};
    if (options_.no_inlines && lines.size() > 1) lines.erase(lines.begin(), lines.end() - 1);
    const bool keeps_lines = is(Granularity::keep) || is(Granularity::addresses) ||
                             is(Granularity::lines);
    for (Line& line : lines) {
      line.function = functions_[line.function];
      if (!keeps_lines) line.line = 0;
      if (!is(Granularity::keep)) line.column = 0;
    }
    // A frame without a name is told from others by its address only.
    const bool keeps_address =
        is(Granularity::keep) || is(Granularity::addresses) || lines.empty();
    return p_.intern_location(l.mapping, keeps_address ? l.address : 0, lines, l.is_folded);
  }

  LocationId module(MappingId mapping) {
    const std::array<Line, 1> lines = {
        Line{.function = p_.intern_function(module_name(p_, mapping))}};
    return p_.intern_location(mapping, 0, lines);
  }

  void stacks() {
    const std::uint32_t count = p_.stack_count();
    std::vector<StackId> stacks(count + std::size_t{1}, 0);
    for (StackId id = 1; id <= count; ++id) {
      const StackNode node = p_.stack(id);
      const StackId parent = stacks[node.parent];
      const LocationId own = locations_[node.location];
      const bool same_module =
          is(Granularity::modules) && parent != 0 && p_.stack(parent).location == own;
      stacks[id] = same_module ? parent : p_.intern_stack(parent, own);
    }
    replace_stacks(p_, stacks);
  }

  void mappings() {
    for (MappingId id = 1; id <= p_.mapping_count(); ++id) {
      Mapping& m = p_.mapping(id);
      if (options_.no_inlines) m.has_inline_frames = false;
      if (is(Granularity::functions) || is(Granularity::modules)) m.has_filenames = false;
      if (is(Granularity::functions) || is(Granularity::filefunctions) ||
          is(Granularity::files) || is(Granularity::modules)) {
        m.has_line_numbers = false;
      }
    }
  }

  Profile& p_;
  const AggregateOptions& options_;
  std::vector<FunctionId> functions_;
  std::vector<LocationId> locations_;
};

}  // namespace

Result<Granularity> parse_granularity(std::string_view name) {
  std::string known;
  for (const Name& n : kNames) {
    if (n.name == name) return n.value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", n.name);
  }
  return Error{ErrorKind::usage, fmt::format("unknown granularity '{}'", name), "known: " + known};
}

void aggregate(Profile& profile, const AggregateOptions& options) {
  if (options.granularity == Granularity::keep && !options.no_inlines && !options.short_names) {
    return;
  }
  Aggregator{profile, options}.run();
}

}  // namespace hprof
