#include "opkit/cli/models/model_profile_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/cli/models/model_inputs.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/step_name.h"
#include "opkit/model/profile/statistics.h"

namespace opkit::cli {
namespace {

using model_profile::FrameParts;
using model_profile::Judged;
using model_profile::ModelProfile;
using model_profile::Piece;
using model_profile::Symptom;
using model_profile::TimelineRow;
using model_profile::TypeTotal;

double microseconds(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Steps of the first frame, longest first.
std::vector<const Piece*> longest_of(const ModelProfile& profile, size_t top) {
  std::vector<const Piece*> steps;
  for (const Piece& piece : profile.pieces)
    if (piece.row != TimelineRow::kCopies && piece.frame == 0) steps.push_back(&piece);
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Piece* a, const Piece* b) { return a->ns > b->ns; });
  if (steps.size() > top) steps.resize(top);
  return steps;
}

std::vector<std::pair<const char*, uint64_t>> parts_of(const FrameParts& parts) {
  return {{"T_h2d", parts.h2d},
          {"T_infer", parts.infer},
          {"T_d2h", parts.d2h},
          {"T_post", parts.post},
          {"T_idle", parts.idle}};
}

// Describes the first result of a step: "float16[1, 64, 56, 56] NCHW".
std::string result_text(const Piece& piece) {
  if (piece.outputs.empty()) return "";
  const TensorDesc& first = piece.outputs.front();
  return fmt::format("{}{} {}{}", name_of(first.dtype), first.shape.to_string(),
                     name_of(first.format),
                     piece.outputs.size() > 1 ? fmt::format(" +{}", piece.outputs.size() - 1) : "");
}

std::string steps_table(const ModelProfile& profile, size_t top, const Palette& palette) {
  Table table({"step", "op", "result", "row", ">us", ">share", ">busy us", ">HBM KiB", ">Mop",
               ">of roof", "limit", ">memory KiB"});
  for (const Piece* piece : longest_of(profile, top)) {
    const bool kernel = piece->row == TimelineRow::kStream;
    table.add({short_step_name(piece->name), piece->op, result_text(*piece),
               std::string(name_of(piece->row)), fmt::format("{:.2f}", microseconds(piece->ns)),
               fmt::format("{:.1f} %", 100 * share(piece->ns, profile.parts.total())),
               kernel ? fmt::format("{:.2f}", microseconds(piece->busy_ns)) : "-",
               kernel ? fmt::format("{:.1f}", static_cast<double>(piece->hbm_bytes) / 1024) : "-",
               kernel ? fmt::format("{:.3f}", piece->operations * 1e-6) : "-",
               kernel ? fmt::format("{:.1f} %", 100 * piece->of_roof) : "-",
               kernel ? (piece->memory_bound ? "HBM" : "compute") : "host",
               fmt::format("{:.1f}", static_cast<double>(piece->memory) / 1024)});
  }
  return table.to_string(palette);
}

std::string types_table(const ModelProfile& profile, const Palette& palette) {
  Table table({"type", "core", ">count", ">us", ">share", ">least us", ">most us", ">HBM KiB"});
  for (const TypeTotal& total : model_profile::totals_by_type(profile))
    table.add({total.op, total.core_type, std::to_string(total.count),
               fmt::format("{:.2f}", microseconds(total.total_ns)),
               fmt::format("{:.1f} %", 100 * share(total.total_ns, profile.all_ns())),
               fmt::format("{:.2f}", microseconds(total.least_ns)),
               fmt::format("{:.2f}", microseconds(total.most_ns)),
               fmt::format("{:.1f}", static_cast<double>(total.hbm_bytes) / 1024)});
  return table.to_string(palette);
}

// Tells the chip's modelled time apart from this host's, which is another clock.
std::string clocks_text(const ModelProfile& profile) {
  uint64_t chip = 0, busy = 0, host = 0;
  for (const Piece& piece : profile.pieces) {
    chip += piece.row == TimelineRow::kStream ? piece.ns : 0;
    busy += piece.busy_ns;
    host += piece.row == TimelineRow::kHost ? piece.ns : 0;
  }
  const uint64_t frames = std::max<size_t>(profile.frames_ns.size(), 1);
  chip /= frames, busy /= frames, host /= frames;
  return fmt::format(
      "chip {:.2f} us (kernels {:.2f}, launches {:.2f}; modelled), host {:.2f} us "
      "(this machine's clock)\n",
      microseconds(chip), microseconds(busy), microseconds(chip - busy), microseconds(host));
}

// Says when device memory is fullest, of all that is set aside for the model.
std::string memory_text(const ModelProfile& profile) {
  const auto fullest =
      std::max_element(profile.pieces.begin(), profile.pieces.end(),
                       [](const Piece& a, const Piece& b) { return a.memory < b.memory; });
  if (fullest == profile.pieces.end()) return "";
  return fmt::format("device memory: {} bytes set aside; fullest with {} at {:.2f} us, '{}'\n",
                     profile.peak_bytes, fullest->memory, microseconds(fullest->start_ns),
                     short_step_name(fullest->name));
}

// Says of several frames how far apart they are; of one nothing.
std::string frames_text(const ModelProfile& profile) {
  std::vector<uint64_t> ns = profile.frames_ns;
  if (ns.size() < 2) return "";
  std::sort(ns.begin(), ns.end());
  return fmt::format("{} frames: least {:.2f} us, median {:.2f}, most {:.2f}\n", ns.size(),
                     microseconds(ns.front()), microseconds(ns[ns.size() / 2]),
                     microseconds(ns.back()));
}

std::string parts_table(const ModelProfile& profile, const Palette& palette) {
  Table table({"part", ">us", ">share"});
  for (const auto& [word, ns] : parts_of(profile.parts))
    table.add({word, fmt::format("{:.2f}", microseconds(ns)),
               fmt::format("{:.1f} %", 100 * share(ns, profile.parts.total()))});
  return table.to_string(palette);
}

std::string line_of(const Symptom& pattern) {
  const std::string head = fmt::format("{:<13} {:<10} ", pattern.id, name_of(pattern.judged));
  if (pattern.judged == Judged::kNotJudged) return head + pattern.why + "\n";
  std::string line = head + fmt::format("{:.1f} % {}; limit {:.0f} % ({})\n", 100 * pattern.share,
                                        pattern.question, 100 * pattern.limit, pattern.why);
  if (!pattern.advice.empty()) line += fmt::format("{:<24} try: {}\n", "", pattern.advice);
  return line;
}

Json tensors_json(const std::vector<TensorDesc>& tensors) {
  Json list = Json::array();
  for (const TensorDesc& tensor : tensors)
    list.push_back({{"name", tensor.name},
                    {"dtype", name_of(tensor.dtype)},
                    {"shape", tensor.shape.dims()},
                    {"format", name_of(tensor.format)}});
  return list;
}

Json types_json(const ModelProfile& profile) {
  Json list = Json::array();
  for (const TypeTotal& total : model_profile::totals_by_type(profile))
    list.push_back({{"op", total.op},
                    {"core_type", total.core_type},
                    {"count", total.count},
                    {"total_ns", total.total_ns},
                    {"least_ns", total.least_ns},
                    {"most_ns", total.most_ns},
                    {"hbm_bytes", total.hbm_bytes}});
  return list;
}

Json piece_json(const Piece& piece) {
  Json json{{"name", piece.name},          {"op", piece.op},
            {"row", name_of(piece.row)},   {"frame", piece.frame},
            {"start_ns", piece.start_ns},  {"ns", piece.ns},
            {"memory_bytes", piece.memory}};
  if (piece.row != TimelineRow::kCopies) {
    json["core_type"] = model_profile::core_type_of(piece);
    json["inputs"] = tensors_json(piece.inputs);
    json["outputs"] = tensors_json(piece.outputs);
  }
  if (piece.row != TimelineRow::kStream) return json;
  json["busy_ns"] = piece.busy_ns;
  json["hbm_bytes"] = piece.hbm_bytes;
  json["operations"] = piece.operations;
  json["roofline_share"] = piece.of_roof;
  json["block_dim"] = piece.block_dim;
  json["memory_bound"] = piece.memory_bound;
  return json;
}

Json pattern_json(const Symptom& pattern) {
  Json json{{"id", pattern.id}, {"judged", name_of(pattern.judged)}};
  if (pattern.judged != Judged::kNotJudged) {
    json["share"] = pattern.share;
    json["limit"] = pattern.limit;
    json["of"] = pattern.question;
  }
  json["why"] = pattern.why;
  json["advice"] = pattern.advice;
  return json;
}

}  // namespace

std::string profile_text(const ModelProfile& profile, const std::vector<Symptom>& patterns,
                         size_t top, const std::string& runs, const Palette& palette) {
  std::string text =
      fmt::format("{} on {}{}: {:.2f} us per frame; plugins ran {}\n{}{}\n{}\n{}\n{}\n",
                  profile.model, profile.soc, gear_words(profile.gear),
                  microseconds(profile.parts.total()), runs, frames_text(profile),
                  clocks_text(profile) + memory_text(profile), steps_table(profile, top, palette),
                  types_table(profile, palette), parts_table(profile, palette));
  for (const Symptom& pattern : patterns) text += line_of(pattern);
  return text;
}

Json profile_json(const ModelProfile& profile, const std::vector<Symptom>& patterns, size_t top,
                  const std::string& runs) {
  const FrameParts& parts = profile.parts;
  Json json{{"model", profile.model},
            {"soc", profile.soc},
            {"runs", runs},
            {"total_ns", parts.total()},
            {"frames_ns", profile.frames_ns},
            {"link_gbps", profile.link_gbps},
            {"memory_bytes", profile.peak_bytes}};
  if (!profile.gear.empty()) json["gear"] = profile.gear;
  json["parts_ns"] = Json::object();
  for (const auto& [word, ns] : parts_of(parts)) json["parts_ns"][word] = ns;
  json["copy_share"] = share(parts.h2d + parts.d2h, parts.total());
  json["idle_share"] = share(parts.idle, parts.idle + parts.infer);
  json["top"] = Json::array();
  for (const Piece* piece : longest_of(profile, top)) json["top"].push_back(piece_json(*piece));
  json["types"] = types_json(profile);
  json["timeline"] = Json::array();
  for (const Piece& piece : profile.pieces) json["timeline"].push_back(piece_json(piece));
  json["diagnosis"] = Json::array();
  for (const Symptom& pattern : patterns) json["diagnosis"].push_back(pattern_json(pattern));
  return json;
}

}  // namespace opkit::cli
