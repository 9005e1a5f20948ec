// SPDX-License-Identifier: Apache-2.0
#include "callgrind_reader.h"
#include "callgrind_writer.h"
#include "chrome_writer.h"
#include "dot_writer.h"
#include "dtrace_text.h"
#include "firefox_writer.h"
#include "flamegraph_data.h"
#include "flamegraph_svg.h"
#include "folded_reader.h"
#include "folded_writer.h"
#include "goroutine_text.h"
#include "heaptrack.h"
#include "java_hprof_text.h"
#include "json_readers.h"
#include "legacy_readers.h"
#include "massif.h"
#include "otlp_reader.h"
#include "otlp_writer.h"
#include "perf_data.h"
#include "perf_script.h"
#include "reports.h"
#include "speedscope_writer.h"
#include "svg_reader.h"
#include "table_writers.h"
#include "vtune_csv.h"

#include <hprof/formats/pprof.h>
#include <hprof/formats/registry.h>

#include <algorithm>
#include <array>

namespace hprof::formats {
namespace {

constexpr std::array<std::string_view, 5> kPprofExtensions = {"pb.gz", "pb", "pprof", "prof",
                                                              "pprof.gz"};
constexpr std::array<std::string_view, 5> kFoldedExtensions = {"folded", "collapsed", "collapse",
                                                               "stacks", "folded.txt"};
constexpr std::array<std::string_view, 2> kDiffFoldedExtensions = {"diff-folded", "folded.diff"};
constexpr std::array<std::string_view, 1> kPerfDataExtensions = {"perf.data"};
constexpr std::array<std::string_view, 1> kHeapExtensions = {"heap"};
constexpr std::array<std::string_view, 1> kContentionExtensions = {"contention"};
constexpr std::array<std::string_view, 1> kThreadExtensions = {"threadz"};
constexpr std::array<std::string_view, 1> kGoTextExtensions = {"goroutine"};
constexpr std::array<std::string_view, 1> kCpuExtensions = {"cpuprofile.prof"};
constexpr std::array<std::string_view, 1> kJemallocExtensions = {"jeprof"};
constexpr std::array<std::string_view, 1> kHeaptrackExtensions = {"heaptrack"};
constexpr std::array<std::string_view, 2> kMassifExtensions = {"massif", "massif.out"};
constexpr std::array<std::string_view, 1> kGoroutineExtensions = {"goroutines"};
constexpr std::array<std::string_view, 1> kJavaExtensions = {"hprof.txt"};
constexpr std::array<std::string_view, 1> kDtraceExtensions = {"dtrace"};
constexpr std::array<std::string_view, 1> kVtuneExtensions = {"vtune.csv"};
constexpr std::array<std::string_view, 2> kPerfScriptExtensions = {"perf", "perf.txt"};
constexpr std::array<std::string_view, 1> kSvgExtensions = {"svg"};
constexpr std::array<std::string_view, 2> kHtmlExtensions = {"html", "htm"};
constexpr std::array<std::string_view, 1> kFlameDataExtensions = {"flamedata"};
constexpr std::array<std::string_view, 2> kSpeedscopeExtensions = {"speedscope.json", "speedscope"};
constexpr std::array<std::string_view, 2> kFirefoxExtensions = {"firefox.json", "profile.json"};
constexpr std::array<std::string_view, 1> kCpuProfileExtensions = {"cpuprofile"};
constexpr std::array<std::string_view, 1> kHeapProfileExtensions = {"heapprofile"};
constexpr std::array<std::string_view, 1> kChromeTraceExtensions = {"trace.json"};
constexpr std::array<std::string_view, 2> kCallgrindExtensions = {"callgrind", "cachegrind"};
constexpr std::array<std::string_view, 2> kDotExtensions = {"dot", "gv"};
constexpr std::array<std::string_view, 1> kOtlpExtensions = {"otlp"};
constexpr std::array<std::string_view, 1> kJsonExtensions = {"json"};
constexpr std::array<std::string_view, 1> kCsvExtensions = {"csv"};
constexpr std::array<std::string_view, 2> kMarkdownExtensions = {"md", "markdown"};
constexpr std::array<std::string_view, 2> kTopExtensions = {"txt", "top"};
constexpr std::array<std::string_view, 1> kTreeExtensions = {"tree.txt"};
constexpr std::array<std::string_view, 1> kPeekExtensions = {"peek.txt"};
constexpr std::array<std::string_view, 1> kTracesExtensions = {"traces.txt"};
constexpr std::array<std::string_view, 1> kRawExtensions = {"raw.txt"};

Result<Profile> read_diff_folded(ByteSource& source, const ReadOptions& options) {
  ReadOptions with_diff = options;
  with_diff.diff = true;
  return read_folded(source, with_diff);
}

// Order of detection: signatures first, then JSON by its keys, text by its lines, and what has no
// signature at all last. Source: reference/formats.md B4.
constexpr Format kFormats[] = {
    {.name = "pprof",
     .extensions = kPprofExtensions,
     .summary = "profile.proto of google/pprof and Go, gzip-compressed",
     .sniff = sniff_pprof,
     .read = read_pprof,
     .write = write_pprof,
     .binary = true},
    {.name = "perf.data",
     .extensions = kPerfDataExtensions,
     .summary = "recording of perf record, as a file or from a pipe",
     .sniff = sniff_perf_data,
     .read = read_perf_data},
    {.name = "gperftools-cpu",
     .extensions = kCpuExtensions,
     .summary = "binary CPU profile of gperftools",
     .sniff = sniff_gperftools_cpu,
     .read = read_gperftools_cpu},
    {.name = "jemalloc",
     .extensions = kJemallocExtensions,
     .summary = "heap dump of jemalloc (heap_v2)",
     .sniff = sniff_jemalloc_heap,
     .read = read_jemalloc_heap},
    {.name = "heap-text",
     .extensions = kHeapExtensions,
     .summary = "text heap, growth or fragmentation profile of gperftools, tcmalloc and Go",
     .sniff = sniff_legacy_heap,
     .read = read_legacy_heap},
    {.name = "contention",
     .extensions = kContentionExtensions,
     .summary =
         "text contention or mutex profile of gperftools and Go, Java's heapz and contentionz",
     .sniff = sniff_legacy_contention,
     .read = read_legacy_contention},
    {.name = "threadz",
     .extensions = kThreadExtensions,
     .summary = "text of all thread stacks of gperftools",
     .sniff = sniff_legacy_threads,
     .read = read_legacy_threads},
    {.name = "go-text",
     .extensions = kGoTextExtensions,
     .summary = "text of a Go profile with debug=1",
     .sniff = sniff_go_count,
     .read = read_go_count},
    {.name = "heaptrack",
     .extensions = kHeaptrackExtensions,
     .summary = "recording of heaptrack, interpreted or raw",
     .sniff = sniff_heaptrack,
     .read = read_heaptrack},
    {.name = "massif",
     .extensions = kMassifExtensions,
     .summary = "heap tree of valgrind's massif at the peak",
     .sniff = sniff_massif,
     .read = read_massif},
    {.name = "goroutine-text",
     .extensions = kGoroutineExtensions,
     .summary = "goroutine dump of Go with debug=2, or of a panic",
     .sniff = sniff_goroutine_text,
     .read = read_goroutine_text},
    {.name = "java-hprof",
     .extensions = kJavaExtensions,
     .summary = "text of Java's HPROF agent",
     .sniff = sniff_java_hprof,
     .read = read_java_hprof},
    {.name = "vtune",
     .extensions = kVtuneExtensions,
     .summary = "call tree that VTune exports as CSV",
     .sniff = sniff_vtune,
     .read = read_vtune},
    {.name = "dtrace",
     .extensions = kDtraceExtensions,
     .summary = "text of a DTrace stack aggregation",
     .sniff = sniff_dtrace,
     .read = read_dtrace},
    {.name = "perf-script",
     .extensions = kPerfScriptExtensions,
     .summary = "text of perf script",
     .sniff = sniff_perf_script,
     .read = read_perf_script},
    {.name = "folded",
     .extensions = kFoldedExtensions,
     .summary = "folded stacks, \"main;work 12\", of FlameGraph, inferno and many others",
     .sniff = sniff_folded,
     .read = read_folded,
     .write = write_folded,
     .one_value = true},
    {.name = "diff-folded",
     .extensions = kDiffFoldedExtensions,
     .summary = "folded stacks with two counts, before and after; never guessed",
     .read = read_diff_folded,
     .write = write_diff_folded,
     .one_value = true},
    {.name = "svg",
     .extensions = kSvgExtensions,
     .summary = "flame graph picture with zoom and search",
     .sniff = sniff_svg,
     .read = read_svg,
     .write = write_flamegraph_svg,
     .one_value = true},
    {.name = "html",
     .extensions = kHtmlExtensions,
     .summary = "flame graph page for one file of any size: all value types, threads, search",
     .write = write_flamegraph_html},
    {.name = "flame-data",
     .extensions = kFlameDataExtensions,
     .summary = "the data inside the html page, for a page that loads it",
     .write = write_flamegraph_data,
     .binary = true},
    {.name = "speedscope",
     .extensions = kSpeedscopeExtensions,
     .summary = "JSON of speedscope.app",
     .sniff = sniff_speedscope,
     .read = read_speedscope,
     .write = write_speedscope},
    {.name = "firefox",
     .extensions = kFirefoxExtensions,
     .summary = "processed profile of profiler.firefox.com",
     .sniff = sniff_firefox,
     .read = read_firefox,
     .write = write_firefox,
     .one_value = true},
    {.name = "cpuprofile",
     .extensions = kCpuProfileExtensions,
     .summary = "V8 profile of Chrome's and Node's tools",
     .sniff = sniff_cpuprofile,
     .read = read_cpuprofile,
     .write = write_cpuprofile,
     .one_value = true},
    {.name = "heapprofile",
     .extensions = kHeapProfileExtensions,
     .summary = "V8 heap profile of Chrome's and Node's tools",
     .sniff = sniff_heapprofile,
     .read = read_heapprofile},
    {.name = "chrome-trace",
     .extensions = kChromeTraceExtensions,
     .summary = "trace events for Perfetto and Chrome",
     .sniff = sniff_chrome_trace,
     .read = read_chrome_trace,
     .write = write_chrome_trace,
     .one_value = true},
    {.name = "callgrind",
     .extensions = kCallgrindExtensions,
     .summary = "cost file for KCachegrind and callgrind_annotate",
     .sniff = sniff_callgrind,
     .read = read_callgrind,
     .write = write_callgrind},
    {.name = "dot",
     .extensions = kDotExtensions,
     .summary = "call graph for Graphviz",
     .write = write_dot,
     .one_value = true},
    {.name = "otlp",
     .extensions = kOtlpExtensions,
     .summary = "OpenTelemetry profiles (v1development, Alpha)",
     .sniff = sniff_otlp,
     .read = read_otlp,
     .write = write_otlp,
     .binary = true},
    {.name = "json",
     .extensions = kJsonExtensions,
     .summary = "everything as JSON of hprof's own",
     .write = write_json},
    {.name = "csv",
     .extensions = kCsvExtensions,
     .summary = "table of functions, all value types",
     .write = write_csv},
    {.name = "markdown",
     .extensions = kMarkdownExtensions,
     .summary = "report for people: facts and top functions",
     .write = write_markdown,
     .one_value = true},
    {.name = "top",
     .extensions = kTopExtensions,
     .summary = "text: functions by their own value",
     .write = write_top,
     .one_value = true},
    {.name = "tree",
     .extensions = kTreeExtensions,
     .summary = "text: each function between its callers and callees",
     .write = write_tree,
     .one_value = true},
    {.name = "peek",
     .extensions = kPeekExtensions,
     .summary = "text: as tree, ordered by cumulative value",
     .write = write_peek,
     .one_value = true},
    {.name = "traces",
     .extensions = kTracesExtensions,
     .summary = "text: every sample with its labels and stack",
     .write = write_traces,
     .one_value = true},
    {.name = "raw",
     .extensions = kRawExtensions,
     .summary = "text: everything a profile holds, as pprof -raw prints it",
     .write = write_raw},
};

bool has_extension(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() && path.ends_with(extension) &&
         path[path.size() - extension.size() - 1] == '.';
}

}  // namespace

std::span<const Format> all_formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto* found = std::ranges::find(kFormats, name, &Format::name);
  return found == std::end(kFormats) ? nullptr : found;
}

const Format* format_for_output(std::string_view path) {
  const Format* best = nullptr;
  std::size_t length = 0;
  for (const Format& format : kFormats) {
    if (format.write == nullptr) continue;
    for (const std::string_view extension : format.extensions) {
      if (extension.size() > length && has_extension(path, extension)) {
        best = &format;
        length = extension.size();
      }
    }
  }
  return best;
}

std::string known_formats(bool writable) {
  std::string names;
  for (const Format& format : kFormats) {
    if (writable ? format.write == nullptr : format.read == nullptr) continue;
    if (!names.empty()) names += ", ";
    names += format.name;
  }
  return names;
}

}  // namespace hprof::formats
