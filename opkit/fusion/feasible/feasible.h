// Feasible: is it worth it to make one kernel of these operators? Out of a contract or of a model's
// nodes alone, before any kernel exists.
#ifndef OPKIT_FUSION_FEASIBLE_FEASIBLE_H_
#define OPKIT_FUSION_FEASIBLE_FEASIBLE_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/fusion/feasible/budget.h"
#include "opkit/fusion/feasible/roofline.h"

namespace opkit {
class Json;
}

namespace opkit::feasible {

// The four quadrants: gain (traffic saved) by complexity.
enum class Quadrant { kPromising, kChallenge, kWorthwhile, kMarginal };
const char* name_of(Quadrant quadrant);

// An item of the checklist, with the number that it rests on.
struct Item {
  std::string name;  // "traffic"
  bool green = true;
  double number = 0;
  std::string text;  // "40 % of the traffic goes; 30 % are asked for"
};

struct Occurrences {
  std::string model;
  size_t times = 0;
};

struct Chip {
  ChipGain gain;
  Budget budget;
};

struct Feasibility {
  std::string name, call;  // "AddRelu", "S=[1048576]"
  TensorTotals traffic;
  size_t launches_saved = 0;
  Loops loops;
  std::vector<Chip> chips;
  int complexity = 0;  // 1 is a formula; above kManageable it is high
  Quadrant quadrant = Quadrant::kMarginal;
  std::vector<Item> items;
  std::optional<Occurrences> occurrences;

  size_t red() const;
};

// Is the least share of the traffic that must be saved, by the checklist.
inline constexpr double kLeastSaved = 0.3;
inline constexpr int kManageable = 3;

struct FeasibilityQuestion {
  std::string call;
  std::vector<const SocSpec*> chips;
  std::vector<uint64_t> tile;  // empty: the largest one
  std::optional<Occurrences> occurrences;
};

// Errors: trace::rates_of's; budget_of's.
Result<Feasibility> feasibility_of(const Subject& subject, const FeasibilityQuestion& question);

// Returns how often nodes wired like these stand in a graph, themselves included; places do not
// overlap.
size_t times_in(const graph::Graph& model, const std::vector<size_t>& nodes);

std::string feasible_text(const Feasibility& feasibility);
Json feasible_json(const Feasibility& feasibility);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_FEASIBLE_H_
