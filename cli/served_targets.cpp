// SPDX-License-Identifier: Apache-2.0
#include "served_targets.h"

#include "json_object.h"
#include "live_page.h"

#include <hprof/core/profile/diff.h>
#include <hprof/formats/flamegraph.h>
#include <hprof/formats/registry.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace hprof::cli {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";

HttpResponse answer(int status, std::string_view type, std::string body) {
  return {.status = status,
          .content_type = std::string{type},
          .body = std::move(body),
          .headers = {{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-store"}}};
}

HttpResponse failed(const Error& error) {
  const int status = error.kind == ErrorKind::usage              ? 400
                     : error.kind == ErrorKind::nothing_recorded ? 404
                     : error.kind == ErrorKind::target_gone      ? 404
                                                                 : 500;
  return answer(status, kText, error.message + "\n");
}

template <typename T>
T number_or(std::string_view text, T fallback) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? value
                                                                                   : fallback;
}

/// A label value of the Prometheus text format.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string slices_json(const LiveHistory& history) {
  std::string list;
  for (const HistorySlice& slice : history.slices()) {
    list += fmt::format(R"({}{{"start_ns":{},"end_ns":{},"samples":{},"value":{}}})",
                        list.empty() ? "" : ",", slice.start_ns, slice.end_ns, slice.samples,
                        slice.value);
  }
  return list;
}

}  // namespace

ServedTargets::ServedTargets(Parts parts) : parts_(std::move(parts)) {}

void ServedTargets::add(int pid, const std::string& name,
                        std::shared_ptr<CaptureService> capture) {
  auto target = std::make_shared<Target>();
  target->pid = pid;
  target->name = name;
  target->capture = capture;
  target->endpoints = std::make_shared<PprofEndpoints>(
      std::make_shared<CapturedProcess>(pid, capture, parts_.symbolizer, parts_.writer,
                                        parts_.proc),
      running_, parts_.limits);
  target->history = std::make_shared<LiveHistory>(fmt::format("history {}", pid), capture,
                                                  parts_.symbolizer);
  static_cast<void>(target->history->start().has_value());
  const std::lock_guard lock{mutex_};
  const auto old = targets_.find(first_);
  if (old == targets_.end() || !old->second->alive) first_ = pid;
  targets_[pid] = std::move(target);
}

void ServedTargets::ended(int pid) {
  std::shared_ptr<LiveHistory> history;
  {
    const std::lock_guard lock{mutex_};
    const auto found = targets_.find(pid);
    if (found == targets_.end()) return;
    found->second->alive = false;
    history = found->second->history;
  }
  static_cast<void>(history->stop().has_value());
}

void ServedTargets::stop() {
  for (const auto& target : all()) static_cast<void>(target->history->stop().has_value());
}

std::shared_ptr<ServedTargets::Target> ServedTargets::find(int pid) const {
  const std::lock_guard lock{mutex_};
  const auto found = targets_.find(pid);
  return found == targets_.end() ? nullptr : found->second;
}

std::shared_ptr<ServedTargets::Target> ServedTargets::first() const { return find(first_); }

std::vector<std::shared_ptr<ServedTargets::Target>> ServedTargets::all() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::shared_ptr<Target>> list;
  for (const auto& [pid, target] : targets_) list.push_back(target);
  return list;
}

std::vector<HttpRoute> ServedTargets::routes() {
  return {
      {"/", [](const HttpRequest&, std::string_view rest) {
         if (!rest.empty()) return answer(404, kText, "404 page not found\n");
         return answer(200, "text/html; charset=utf-8", live_page());
       }},
      {"/debug/pprof/",
       [this](const HttpRequest& request, std::string_view rest) { return pprof(request, rest); }},
      {"/pid/",
       [this](const HttpRequest& request, std::string_view rest) { return by_pid(request, rest); }},
      {"/api/targets", [this](const HttpRequest&, std::string_view) { return targets(); }},
      {"/api/flame",
       [this](const HttpRequest& request, std::string_view) { return flame(request); }},
      {"/api/download",
       [this](const HttpRequest& request, std::string_view) { return download(request); }},
      {"/metrics", [this](const HttpRequest&, std::string_view) { return metrics(); }},
      {"/healthz",
       [](const HttpRequest&, std::string_view) { return answer(200, kText, "ok\n"); }},
  };
}

HttpResponse ServedTargets::pprof(const HttpRequest& request, std::string_view rest) {
  const std::shared_ptr<Target> target = first();
  if (!target) return answer(404, kText, "no process is being profiled\n");
  return target->endpoints->answer(request, rest);
}

HttpResponse ServedTargets::by_pid(const HttpRequest& request, std::string_view rest) {
  constexpr std::string_view kBelow = "/debug/pprof/";
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::shared_ptr<Target> target = find(number_or(rest.substr(0, slash), 0));
  if (!target) return answer(404, kText, "no such process is being profiled\n");
  rest.remove_prefix(slash);
  if (rest == kBelow.substr(0, kBelow.size() - 1)) {
    HttpResponse moved = answer(301, "text/html; charset=utf-8", {});
    moved.headers.emplace_back("Location", fmt::format("/pid/{}{}", target->pid, kBelow));
    return moved;
  }
  if (!rest.starts_with(kBelow)) return answer(404, kText, "404 page not found\n");
  return target->endpoints->answer(request, rest.substr(kBelow.size()));
}

HttpResponse ServedTargets::targets() const {
  std::string list;
  for (const auto& target : all()) {
    list += fmt::format(R"({}{{"pid":{},"name":{},"alive":{},"slices":[{}]}})",
                        list.empty() ? "" : ",", target->pid, json_string(target->name),
                        target->alive, slices_json(*target->history));
  }
  std::string names;
  for (const formats::Format& format : formats::all_formats()) {
    if (format.write == nullptr) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ",", json_string(format.name));
  }
  return answer(200, "application/json",
                fmt::format(R"({{"targets":[{}],"kinds":["cpu"],"formats":[{}]}})", list, names));
}

Result<Profile> ServedTargets::window(const HttpRequest& request, bool& negative) const {
  const std::shared_ptr<Target> target = find(number_or(request.parameter("pid"), first_));
  if (!target) return Error{ErrorKind::target_gone, "no such process is being profiled", {}};
  const std::string kind = request.parameter("kind");
  if (!kind.empty() && kind != "cpu") {
    return Error{ErrorKind::usage, fmt::format("{}: this version measures CPU time only", kind), {}};
  }
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  const auto time = [&request](const char* name, std::int64_t fallback) {
    return number_or<std::int64_t>(request.parameter(name), fallback);
  };
  HPROF_ASSIGN(Profile now, target->history->window(time("from", 0), time("to", kEnd)));
  negative = !request.parameter("base_to").empty();
  if (!negative) return now;
  HPROF_ASSIGN(Profile base,
               target->history->window(time("base_from", 0), time("base_to", kEnd)));
  // Windows of unequal length are compared as shares.
  return diff_profiles(now, base, DiffKind::compare, true);
}

HttpResponse ServedTargets::flame(const HttpRequest& request) const {
  formats::WriteOptions options;
  Result<Profile> profile = window(request, options.negative);
  if (!profile) return failed(profile.error());
  options.sample_type = profile->default_sample_type_index();
  StringSink sink;
  if (const auto done = formats::write_flamegraph_data(*profile, sink, options); !done) {
    return failed(done.error());
  }
  return answer(200, "application/octet-stream", sink.take());
}

HttpResponse ServedTargets::download(const HttpRequest& request) const {
  const std::string name = request.parameter("format");
  const formats::Format* format = formats::find_format(name);
  if (format == nullptr || format->write == nullptr) {
    return answer(400, kText, fmt::format("unknown format '{}'; known: {}\n", name,
                                          formats::known_formats(true)));
  }
  formats::WriteOptions options;
  Result<Profile> profile = window(request, options.negative);
  if (!profile) return failed(profile.error());
  options.sample_type = profile->default_sample_type_index();
  StringSink sink;
  if (const auto done = format->write(*profile, sink, options); !done) {
    return failed(done.error());
  }
  HttpResponse response = answer(200, "application/octet-stream", sink.take());
  response.headers.emplace_back(
      "Content-Disposition",
      fmt::format("attachment; filename=\"hprof-{}-cpu.{}\"",
                  number_or(request.parameter("pid"), first_), format->extensions.front()));
  return response;
}

HttpResponse ServedTargets::metrics() const {
  std::string text =
      "# HELP hprof_samples_total Samples taken of a process.\n"
      "# TYPE hprof_samples_total counter\n";
  std::string lost =
      "# HELP hprof_lost_samples_total Samples the kernel dropped.\n"
      "# TYPE hprof_lost_samples_total counter\n";
  std::string cores =
      "# HELP hprof_cpu_cores CPU time a second of the process in the last slice.\n"
      "# TYPE hprof_cpu_cores gauge\n";
  std::string up =
      "# HELP hprof_target_up Whether the process still runs.\n# TYPE hprof_target_up gauge\n";
  for (const auto& target : all()) {
    const std::string labels =
        fmt::format("{{pid=\"{}\",name=\"{}\"}}", target->pid, escaped(target->name));
    const SamplerStats stats = target->capture->sampler().stats();
    text += fmt::format("hprof_samples_total{} {}\n", labels, stats.samples);
    lost += fmt::format("hprof_lost_samples_total{} {}\n", labels, stats.lost);
    up += fmt::format("hprof_target_up{} {}\n", labels, target->alive ? 1 : 0);
    const std::vector<HistorySlice> slices = target->history->slices();
    if (slices.empty() || slices.back().end_ns <= slices.back().start_ns) continue;
    const HistorySlice& last = slices.back();
    cores += fmt::format(
        "hprof_cpu_cores{} {:.3f}\n", labels,
        static_cast<double>(last.value) / static_cast<double>(last.end_ns - last.start_ns));
  }
  text += lost + cores + up;
  text += fmt::format(
      "# HELP hprof_profiles_in_the_making Requests that wait for a profile.\n"
      "# TYPE hprof_profiles_in_the_making gauge\nhprof_profiles_in_the_making {}\n",
      running_->load());
  return answer(200, "text/plain; version=0.0.4; charset=utf-8", std::move(text));
}

}  // namespace hprof::cli
