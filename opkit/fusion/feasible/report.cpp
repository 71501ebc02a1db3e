// Feasibilities as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "opkit/base/json.h"
#include "opkit/fusion/feasible/feasible.h"

namespace opkit::feasible {
namespace {

const char* cut_name(LoopCut cut) {
  switch (cut) {
    case LoopCut::kElements: return "elements";
    case LoopCut::kRows: return "rows";
    case LoopCut::kBlocks: return "blocks";
  }
  return "";
}

double us(double nanoseconds) { return nanoseconds / 1e3; }

std::string traffic_text(const Feasibility& all) {
  std::string text = fmt::format("  {:<24} {:>14} {:>14} {:>14} {:>14}\n", "tensor", "apart reads",
                                 "writes", "fused reads", "writes");
  for (const TensorAccess& one : all.traffic.tensors)
    text += fmt::format("  {:<24} {:>14} {:>14} {:>14} {:>14}\n", one.tensor, one.separate_read,
                        one.separate_written, one.fused_read, one.fused_written);
  return text + fmt::format("{} launches become 1; {} bytes become {}, {:.0f} % less\n",
                            all.launches_saved + 1, all.traffic.separate_bytes(),
                            all.traffic.fused_bytes(), 100 * all.traffic.saved());
}

std::string gain_text(const Chip& chip) {
  const ChipGain& gain = chip.gain;
  std::string text = fmt::format(
      "{}: {:.2f} x as fast expected, {:.2f} to {:.2f}; {:.2f} us become {:.2f} us, bound by "
      "{}{}\n",
      gain.soc, gain.expected(), gain.least(), gain.most(), us(gain.separate.expected),
      us(gain.fused.expected), gain.bound_by, gain.measured ? "" : " (chip not measured)");
  text += fmt::format(
      "  roofline: not below {:.2f} us apart, {:.2f} us fused; {:.4g} multiply-adds, {:.4g} vector "
      "results\n",
      us(gain.separate.bound), us(gain.fused.bound), gain.arithmetic.products,
      gain.arithmetic.elements);
  text += fmt::format("  largest tile: {}\n", chip.budget.tile_text);
  return text;
}

std::string budget_text(const Budget& budget) {
  std::string text = fmt::format("buffers on {}, a tile of {}:\n", budget.soc, budget.tile_text);
  for (const TileBuffer& buffer : budget.buffers) {
    text += fmt::format("  {:<4} {:<24} {:>9} bytes x {}", buffer.memory, buffer.name, buffer.bytes,
                        buffer.depth);
    if (!buffer.reuses.empty()) text += fmt::format("  then {}, in place", buffer.reuses);
    text += "\n";
  }
  for (const Memory& memory : budget.memories)
    text += fmt::format("  {:<4} {} of {} bytes, {:.1f} %\n", memory.name, memory.used, memory.size,
                        100 * memory.share());
  return text;
}

Json json_of(const Times& times) {
  return {{"bound_ns", times.bound},
          {"memory_ns", times.memory},
          {"expected_ns", times.expected},
          {"quickest_ns", times.quickest},
          {"slowest_ns", times.slowest}};
}

Json json_of(const Budget& budget) {
  Json buffers = Json::array(), memories = Json::array();
  for (const TileBuffer& one : budget.buffers)
    buffers.push_back({{"name", one.name},
                       {"memory", one.memory},
                       {"bytes", one.bytes},
                       {"depth", one.depth},
                       {"reuses", one.reuses}});
  for (const Memory& one : budget.memories)
    memories.push_back(
        {{"name", one.name}, {"used", one.used}, {"size", one.size}, {"share", one.share()}});
  return {{"tile", budget.tile_text},
          {"fits", budget.fits},
          {"why_not", budget.why_not},
          {"buffers", std::move(buffers)},
          {"memories", std::move(memories)}};
}

Json json_of(const Chip& chip) {
  const ChipGain& gain = chip.gain;
  return {{"soc", gain.soc},
          {"chip_is_measured", gain.measured},
          {"gain", gain.expected()},
          {"gain_least", gain.least()},
          {"gain_most", gain.most()},
          {"bound_by", gain.bound_by},
          {"products", gain.arithmetic.products},
          {"vector_results", gain.arithmetic.elements},
          {"separate", json_of(gain.separate)},
          {"fused", json_of(gain.fused)},
          {"budget", json_of(chip.budget)}};
}

Json traffic_json(const TensorTotals& traffic) {
  Json tensors = Json::array();
  for (const TensorAccess& one : traffic.tensors)
    tensors.push_back({{"tensor", one.tensor},
                       {"separate_read", one.separate_read},
                       {"separate_written", one.separate_written},
                       {"fused_read", one.fused_read},
                       {"fused_written", one.fused_written}});
  return {{"separate_bytes", traffic.separate_bytes()},
          {"fused_bytes", traffic.fused_bytes()},
          {"saved", traffic.saved()},
          {"tensors", std::move(tensors)}};
}

}  // namespace

std::string feasible_text(const Feasibility& all) {
  std::string text = fmt::format("{}, {}\n", all.name, all.call) + traffic_text(all);
  for (const Chip& chip : all.chips) text += gain_text(chip);
  if (!all.chips.empty()) text += budget_text(all.chips.front().budget);
  for (const std::string& reason : all.loops.forbids)
    text += fmt::format("one loop over tiles is forbidden: {}\n", reason);
  for (const Item& item : all.items)
    text += fmt::format("[{}] {}\n", item.green ? "green" : "red", item.text);
  return text + fmt::format("{}; complexity {} ({} loops), {} red\n", name_of(all.quadrant),
                            all.complexity, cut_name(all.loops.cut), all.red());
}

Json feasible_json(const Feasibility& all) {
  Json chips = Json::array(), items = Json::array();
  for (const Chip& chip : all.chips) chips.push_back(json_of(chip));
  for (const Item& item : all.items)
    items.push_back(
        {{"name", item.name}, {"green", item.green}, {"number", item.number}, {"text", item.text}});
  Json json{{"name", all.name},
            {"call", all.call},
            {"traffic", traffic_json(all.traffic)},
            {"launches", all.launches_saved + 1},
            {"launches_saved", all.launches_saved},
            {"loops", cut_name(all.loops.cut)},
            {"complexity", all.complexity},
            {"quadrant", name_of(all.quadrant)},
            {"forbids", all.loops.forbids},
            {"chips", std::move(chips)},
            {"items", std::move(items)},
            {"red", all.red()}};
  json["occurrences"] = all.occurrences ? Json(all.occurrences->times) : Json();
  return json;
}

}  // namespace opkit::feasible
