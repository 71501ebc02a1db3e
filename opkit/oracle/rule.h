// Rules: how the interval of a node's result follows from those of its operands.
//
// Most rules evaluate the node itself again, at the ends of the operands' intervals or on their
// magnitudes, so that what an operator means is said once, in opkit/reference.
#ifndef OPKIT_ORACLE_RULE_H_
#define OPKIT_ORACLE_RULE_H_

#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/oracle/bounded.h"
#include "opkit/reference/bound.h"
#include "opkit/reference/evaluate.h"

namespace opkit::oracle {

// One node at work. Operands are settled unless the bound is exact; null is absent.
struct NodeCall {
  const graph::Node& node;
  std::vector<const Bounded*> inputs;
  std::vector<reference::RefTensor> values;  // the oracle's outputs
  Working working;
};

using BoundedOutputs = std::vector<Bounded>;  // one per output

using reference::Bound;

// Returns what the operator's row says (opkit/reference), applied. Error: OPK-VERIFY-002 when it
// says nothing.
Result<BoundedOutputs> apply_bound(const NodeCall& call, const Bound& bound);

// Families.
Result<BoundedOutputs> move_rule(const NodeCall& call,
                                 const Bound& bound);  // and monotone selections
Result<BoundedOutputs> monotone_rule(const NodeCall& call, const Bound& bound);  // rising functions
Result<BoundedOutputs> lipschitz_rule(const NodeCall& call,
                                      const Bound& bound);                     // smooth functions
Result<BoundedOutputs> binary_rule(const NodeCall& call, const Bound& bound);  // Add, Sub, Mul, Div
Result<BoundedOutputs> power_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> fold_rule(const NodeCall& call, const Bound& bound);  // Sum, Mean of inputs
Result<BoundedOutputs> negate_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> magnitude_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> reciprocal_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> sum_rule(const NodeCall& call,
                                const Bound& bound);  // reductions, average pools
Result<BoundedOutputs> product_rule(const NodeCall& call,
                                    const Bound& bound);  // MatMul, Gemm, Conv
Result<BoundedOutputs> einsum_rule(const NodeCall& call,
                                   const Bound& bound);  // any number of operands
Result<BoundedOutputs> resample_rule(const NodeCall& call, const Bound& bound);  // Resize
Result<BoundedOutputs> scatter_rule(const NodeCall& call, const Bound& bound);   // ScatterElements
Result<BoundedOutputs> rank_rule(const NodeCall& call, const Bound& bound);      // TopK
Result<BoundedOutputs> factor_rule(const NodeCall& call, const Bound& bound);    // ReduceProd
Result<BoundedOutputs> certain_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> compare_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> where_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> cast_rule(const NodeCall& call, const Bound& bound);
Result<BoundedOutputs> expand_rule(const NodeCall& call, const Bound& bound);  // composed operators

// Returns the node's first output at the given operands (null: absent).
Result<std::vector<reference::RefTensor>> reevaluate(
    const NodeCall& call, const std::vector<reference::RefTensor>& operands);
// Evaluates any graph of rules: what evaluate_bounded and expand_rule share.
Status evaluate_step(const graph::Node& node, const Working& policy, bool accumulate_stated,
                     BoundedTensors& tensors);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_RULE_H_
