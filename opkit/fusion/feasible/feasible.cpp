#include "opkit/fusion/feasible/feasible.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace opkit::feasible {
namespace {

int complexity_of(const Loops& loops) {
  int complexity = loops.cut == LoopCut::kElements ? 1 : loops.cut == LoopCut::kRows ? 2 : 3;
  complexity += static_cast<int>(std::min<size_t>(loops.forbids.size(), 4));
  return complexity + 2 * static_cast<int>(std::min<size_t>(loops.branches.size(), 2));
}

Quadrant quadrant_of(double saved, int complexity) {
  const bool gains = saved >= kLeastSaved, simple = complexity <= kManageable;
  if (gains) return simple ? Quadrant::kPromising : Quadrant::kChallenge;
  return simple ? Quadrant::kWorthwhile : Quadrant::kMarginal;
}

Item traffic_item(const TensorTotals& traffic) {
  const double saved = traffic.saved();
  return {
      "traffic", saved >= kLeastSaved, saved,
      fmt::format(
          "{:.0f} % of the traffic goes ({} of {} bytes); at least 30 % are asked for", 100 * saved,
          traffic.separate_bytes() - std::min(traffic.fused_bytes(), traffic.separate_bytes()),
          traffic.separate_bytes())};
}

Item dims_item(const Loops& loops) {
  const auto count = static_cast<double>(loops.dims.size());
  if (loops.forbids.empty())
    return {"loops", true, count,
            loops.dims.size() == 1 ? fmt::format("all results have the dims {}", loops.dims[0])
                                   : fmt::format("one loop goes over results of {} different dims",
                                                 loops.dims.size())};
  return {"loops", false, static_cast<double>(loops.forbids.size()),
          fmt::format("{} reason{} against one loop over tiles: {}", loops.forbids.size(),
                      loops.forbids.size() == 1 ? "" : "s", loops.forbids.front())};
}

Item branches_item(const Loops& loops) {
  if (loops.branches.empty()) return {"branches", true, 0, "0 operators do what their data say"};
  return {"branches", false, static_cast<double>(loops.branches.size()),
          fmt::format("{} operators do what their data say: {}", loops.branches.size(),
                      fmt::join(loops.branches, ", "))};
}

Item budget_item(const Chip& chip) {
  const Budget& budget = chip.budget;
  std::vector<std::string> shares;
  for (const Memory& memory : budget.memories)
    shares.push_back(fmt::format("{} {:.0f} %", memory.name, 100 * memory.share()));
  std::string text = fmt::format("{}: a tile of {} takes {}; at most 80 % of each", budget.soc,
                                 budget.tile_text, fmt::join(shares, ", "));
  if (!budget.fits) text += ": " + budget.why_not;
  return {"buffers", budget.fits, budget.largest_share(), std::move(text)};
}

Item occurrences_item(const Occurrences& found) {
  return {"occurrences", found.times > 1, static_cast<double>(found.times),
          fmt::format("it stands {} time{} in {}; one alone seldom repays the work", found.times,
                      found.times == 1 ? "" : "s", found.model)};
}

}  // namespace

const char* name_of(Quadrant quadrant) {
  switch (quadrant) {
    case Quadrant::kPromising: return "promising: high gain, low complexity";
    case Quadrant::kChallenge: return "challenge: high gain, high complexity";
    case Quadrant::kWorthwhile: return "worthwhile: some gain, low complexity";
    case Quadrant::kMarginal: return "marginal: low gain, high complexity";
  }
  return "";
}

size_t Feasibility::red() const {
  return static_cast<size_t>(
      std::count_if(items.begin(), items.end(), [](const Item& item) { return !item.green; }));
}

Result<Feasibility> feasibility_of(const Subject& subject, const FeasibilityQuestion& question) {
  Feasibility all;
  all.name = subject.name;
  all.call = question.call;
  all.traffic = traffic_of(subject);
  all.launches_saved = all.traffic.separate.empty() ? 0 : all.traffic.separate.size() - 1;
  all.loops = loops_of(subject);
  all.complexity = complexity_of(all.loops);
  all.quadrant = quadrant_of(all.traffic.saved(), all.complexity);
  all.items = {traffic_item(all.traffic), dims_item(all.loops), branches_item(all.loops)};
  for (const SocSpec* soc : question.chips) {
    OPKIT_TRY(ChipGain gain, gain_of(subject, all.traffic, *soc));
    OPKIT_TRY(Budget budget, budget_of(subject, all.traffic, all.loops, *soc, question.tile));
    all.chips.push_back({std::move(gain), std::move(budget)});
    all.items.push_back(budget_item(all.chips.back()));
  }
  all.occurrences = question.occurrences;
  if (all.occurrences) all.items.push_back(occurrences_item(*all.occurrences));
  return all;
}

}  // namespace opkit::feasible
