// Fused against unfused: the reference run node by node, every node by the plugin of its operator,
// every result stored in its dtype, beside the fused kernel; both judged by the oracle in double
// precision.
#ifndef OPKIT_VERIFY_UNFUSED_UNFUSED_H_
#define OPKIT_VERIFY_UNFUSED_UNFUSED_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/verify/problem/plan.h"
#include "opkit/verify/unfused/single_ops.h"

namespace opkit::verify {

// Distances from the oracle's exact value, in ulps of the stored type.
struct Accuracy {
  double worst = 0, sum = 0;
  int64_t elements = 0;
  int64_t differing = 0;  // NaN or infinity on one side only
  double mean() const { return elements > 0 ? sum / static_cast<double>(elements) : 0; }
};

struct UnfusedRow {
  std::string column, data;
  Accuracy fused, unfused;
  std::string skipped;  // why there is no comparison
};

struct UnfusedReport {
  // By node of the reference, "Relu -> z": the plugin, or empty when there is none; such a node is
  // computed by the reference interpreter and rounded to its dtype.
  std::vector<std::pair<std::string, std::string>> nodes;
  std::vector<UnfusedRow> rows;
  bool any_plugin() const;
};

// Returns the data-class problems of the plan. Nothing when the reference has fewer than two nodes.
UnfusedReport compare_unfused(const OpContract& contract, Executor& fused, SingleOps& singles,
                              const std::vector<PlannedProblem>& plan);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_UNFUSED_UNFUSED_H_
