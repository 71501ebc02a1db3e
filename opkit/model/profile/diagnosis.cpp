#include "opkit/model/profile/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace opkit::model_profile {
namespace {

double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t sum_of(const ModelProfile& profile, const std::function<uint64_t(const Piece&)>& of) {
  uint64_t sum = 0;
  for (const Piece& piece : profile.pieces) sum += of(piece);
  return sum;
}

Symptom judged(Symptom pattern, bool found, std::string advice) {
  pattern.judged = found ? Judged::kFound : Judged::kClear;
  if (found) pattern.advice = std::move(advice);
  return pattern;
}

// The op type with the longest time among pieces that count.
std::string longest(const ModelProfile& profile, const std::function<bool(const Piece&)>& counts) {
  std::map<std::string, uint64_t> times;
  for (const Piece& piece : profile.pieces)
    if (counts(piece)) times[piece.op] += piece.ns;
  const auto most = std::max_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == times.end() ? "" : most->first;
}

std::string advice_for_gaps(const std::string& on_host) {
  if (on_host.empty())
    return "merge small ops (opkit analyze, atc --generate_chains), or compile for a larger batch";
  if (on_host.starts_with("host "))
    return fmt::format("install an op for {} (atc --explain says why none took it)",
                       on_host.substr(5));
  return "use ops whose formats agree, so that no tensor is turned on the host";
}

// Returns what the stream waits for: launches, and operators on the host between kernels.
Symptom gaps(const ModelProfile& profile) {
  const FrameParts& parts = profile.parts;
  const uint64_t launches = sum_of(profile, [](const Piece& piece) {
    return piece.row == TimelineRow::kStream ? piece.ns - piece.busy_ns : 0;
  });
  const uint64_t host = parts.idle - std::min(parts.idle, launches);
  Symptom pattern{.id = "gaps", .question = "of the stream's time nothing runs"};
  pattern.share = share_of(parts.idle, parts.idle + parts.infer);
  pattern.limit = kMostIdle;
  pattern.why = fmt::format("launches {:.1f} us, operators on the host between kernels {:.1f} us",
                            static_cast<double>(launches) / 1e3, static_cast<double>(host) / 1e3);
  const std::string on_host =
      longest(profile, [](const Piece& piece) { return piece.row == TimelineRow::kHost; });
  return judged(pattern, pattern.share > kMostIdle,
                advice_for_gaps(host > launches ? on_host : ""));
}

Symptom memory_bound(const ModelProfile& profile) {
  const auto bound = [](const Piece& piece) { return piece.memory_bound ? piece.busy_ns : 0; };
  const uint64_t part = sum_of(profile, bound);
  Symptom pattern{.id = "memory_bound", .question = "of the kernels' time HBM is the limit"};
  pattern.share = share_of(part, profile.parts.infer);
  pattern.limit = kMostMemoryBound;
  pattern.why = "by the roofline of each kernel";
  const std::string op = longest(profile, [](const Piece& piece) { return piece.memory_bound; });
  return judged(std::move(pattern), share_of(part, profile.parts.infer) > kMostMemoryBound,
                fmt::format("{} first: fuse it with its neighbours, larger tiles, or a layout that "
                            "is not turned (opkit profile {})",
                            op, op));
}

Symptom copies_in(const ModelProfile& profile) {
  Symptom pattern{.id = "h2d", .question = "of the frame inputs are copied to the device"};
  pattern.share = share_of(profile.parts.h2d, profile.parts.total());
  pattern.limit = kMostCopiesIn;
  pattern.why = fmt::format("at {} GB/s, which is assumed (--link)", profile.link_gbps);
  return judged(pattern, pattern.share > kMostCopiesIn,
                "merge small copies, copy from pinned memory on a second stream, or send bytes and "
                "convert on the device (atc --insert_op_conf)");
}

Symptom post(const ModelProfile& profile) {
  const FrameParts& parts = profile.parts;
  Symptom pattern{.id = "post", .question = "of the frame the host works on results"};
  pattern.share = share_of(parts.post + parts.d2h, parts.total());
  pattern.limit = kMostPost;
  pattern.why = "copies back and operators behind the last kernel, on this host's clock";
  return judged(
      pattern, pattern.share > kMostPost,
      "install ops for them, so that they run on the device, or work on results in a thread of "
      "its own");
}

Symptom int8_gain(const ModelProfile& profile, std::optional<uint64_t> other_ns) {
  Symptom pattern{.id = "int8", .question = "of the frame int8 saves"};
  pattern.limit = kLeastGain;
  const bool any = std::any_of(profile.pieces.begin(), profile.pieces.end(),
                               [](const Piece& piece) { return piece.on_int8; });
  pattern.why = any ? "name the model without int8 with --against" : "no kernel reads int8";
  if (!any || !other_ns) return pattern;
  const bool hosted =
      std::any_of(profile.pieces.begin(), profile.pieces.end(),
                  [](const Piece& piece) { return piece.row == TimelineRow::kHost; });
  if (hosted) {
    pattern.why = "steps of it run on the host, whose time is this machine's";
    return pattern;
  }
  const auto own = static_cast<double>(profile.parts.total());
  pattern.share = *other_ns == 0 ? 0 : 1 - own / static_cast<double>(*other_ns);
  pattern.why = "beside the model of --against";
  return judged(pattern, pattern.share < kLeastGain,
                "calibrate again, and keep layers whose conversions cost more than they save in "
                "the wider type");
}

// Returns how much sooner the next frame ends when copies, stream and host work on different
// frames.
Symptom single_stream(const ModelProfile& profile) {
  const FrameParts& parts = profile.parts;
  const uint64_t longest = std::max({parts.h2d, parts.infer + parts.idle, parts.d2h, parts.post});
  Symptom pattern{.id = "single_stream",
                  .question = "of the time per frame overlapped frames save"};
  pattern.share = parts.total() == 0 ? 0 : 1 - share_of(longest, parts.total());
  pattern.limit = kLeastGain;
  pattern.why = "the model runs on one stream; the longest part bounds the throughput";
  return judged(pattern, pattern.share > kLeastGain,
                "keep two frames in flight: copy on a second stream with events, post-process on "
                "another thread");
}

}  // namespace

std::string_view name_of(Judged judged) {
  switch (judged) {
    case Judged::kFound: return "found";
    case Judged::kClear: return "clear";
    case Judged::kNotJudged: break;
  }
  return "not judged";
}

std::vector<Symptom> diagnose(const ModelProfile& profile, std::optional<uint64_t> other_ns) {
  return {gaps(profile), memory_bound(profile),        copies_in(profile),
          post(profile), int8_gain(profile, other_ns), single_stream(profile)};
}

}  // namespace opkit::model_profile
