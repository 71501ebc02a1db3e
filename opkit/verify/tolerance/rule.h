// Rules: how the interval of a node's result follows from those of its operands.
//
// Most rules evaluate the node itself again, at the ends of the operands' intervals or on their
// magnitudes, so that what an operator means is said once, in opkit/reference.
#ifndef OPKIT_VERIFY_TOLERANCE_RULE_H_
#define OPKIT_VERIFY_TOLERANCE_RULE_H_

#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/reference/evaluate.h"
#include "opkit/verify/tolerance/bounded.h"

namespace opkit::verify {

// One node at work. Operands are settled unless the rule is exact; null is absent.
struct NodeCall {
  const reference::RefNode& node;
  std::vector<const Bounded*> inputs;
  std::vector<reference::RefTensor> values;  // the oracle's outputs
  Working working;
};

using Outcome = std::vector<Bounded>;  // one per output

struct Rule {
  std::string_view op;
  bool exact = false;       // selects or moves: commutes with every rounding of its operands
  double ulps = 0;          // error of the chip's function, in ulps of the working type
  double absolute = 0;      // further error, in units of the working type at 1
  double lipschitz = 1;     // bound of the slope, for functions that are not monotone
  std::string_view source;  // where the error comes from
  Result<Outcome> (*apply)(const NodeCall&, const Rule&) = nullptr;
};

// Null when there is none.
const Rule* find_rule(std::string_view op);
const std::vector<Rule>& all_rules();

// Families.
Result<Outcome> move_rule(const NodeCall& call, const Rule& rule);       // and monotone selections
Result<Outcome> monotone_rule(const NodeCall& call, const Rule& rule);   // rising functions
Result<Outcome> lipschitz_rule(const NodeCall& call, const Rule& rule);  // smooth functions
Result<Outcome> binary_rule(const NodeCall& call, const Rule& rule);     // Add, Sub, Mul, Div
Result<Outcome> power_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> fold_rule(const NodeCall& call, const Rule& rule);  // Sum, Mean of inputs
Result<Outcome> negate_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> magnitude_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> reciprocal_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> sum_rule(const NodeCall& call, const Rule& rule);      // reductions, average pools
Result<Outcome> product_rule(const NodeCall& call, const Rule& rule);  // MatMul, Gemm, Conv
Result<Outcome> einsum_rule(const NodeCall& call, const Rule& rule);   // any number of operands
Result<Outcome> compare_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> where_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> cast_rule(const NodeCall& call, const Rule& rule);
Result<Outcome> expand_rule(const NodeCall& call, const Rule& rule);  // composed operators

// The node's first output at the given operands (null: absent).
Result<std::vector<reference::RefTensor>> reevaluate(
    const NodeCall& call, const std::vector<reference::RefTensor>& operands);
// Evaluates any graph of rules: what evaluate_bounded and expand_rule share.
Status evaluate_step(const reference::RefNode& node, const Working& policy, bool accumulate_stated,
                     BoundedTensors& tensors);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_TOLERANCE_RULE_H_
