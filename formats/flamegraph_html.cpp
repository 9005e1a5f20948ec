// SPDX-License-Identifier: Apache-2.0
#include "assets.h"
#include "base64_sink.h"
#include "flamegraph_data.h"
#include "text_output.h"
#include "xml_text.h"

#include <array>

namespace hprof::formats {
namespace {

class PageWriter {
 public:
  PageWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : profile_(profile), sink_(sink), options_(options) {}

  // The template with its @PARTS@ filled in.
  Result<void> write() {
    std::string_view rest = assets::flamegraph_html();
    for (;;) {
      const std::size_t at = std::min(rest.find('@'), rest.size());
      HPROF_TRY(sink_.write(rest.substr(0, at)));
      if (at == rest.size()) return {};
      rest.remove_prefix(at);
      const std::size_t end = rest.find('@', 1);
      HPROF_CHECK(end != std::string_view::npos);
      HPROF_TRY(write_part(rest.substr(1, end - 1)));
      rest.remove_prefix(end + 1);
    }
  }

 private:
  Result<void> write_part(std::string_view part) {
    if (part == "TITLE") return write_title();
    if (part == "CSS") return sink_.write(assets::flamegraph_css());
    if (part == "BODY") return sink_.write(assets::flamegraph_body_html());
    if (part == "DATA") return write_data();
    HPROF_CHECK(part == "JS");
    return sink_.write(flamegraph_parts().script);
  }

  Result<void> write_title() {
    TextOutput out{sink_};
    put_xml(out, options_.title.empty() ? std::string_view{"hprof"} : options_.title);
    return out.finish();
  }

  Result<void> write_data() {
    Base64Sink base64{sink_};
    HPROF_TRY(write_flamegraph_data(profile_, base64, options_));
    return base64.finish();
  }

  const Profile& profile_;
  ByteSink& sink_;
  const WriteOptions& options_;
};

}  // namespace

FlamegraphParts flamegraph_parts() {
  std::string script{assets::flamegraph_model_js()};
  script += assets::flamegraph_painter_js();
  script += assets::flamegraph_controls_js();
  return {assets::flamegraph_css(), assets::flamegraph_body_html(), std::move(script)};
}

Result<void> write_flamegraph_html(const Profile& profile, ByteSink& sink,
                                   const WriteOptions& options) {
  return PageWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
