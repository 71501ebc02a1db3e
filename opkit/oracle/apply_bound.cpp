// Which rule a bound names.
#include "opkit/oracle/rule.h"

namespace opkit::oracle {

Result<BoundedOutputs> apply_bound(const NodeCall& call, const Bound& bound) {
  using enum reference::BoundRule;
  switch (bound.rule) {
    case kNone: break;
    case kMove: return move_rule(call, bound);
    case kRising: return monotone_rule(call, bound);
    case kSmooth: return lipschitz_rule(call, bound);
    case kArithmetic: return binary_rule(call, bound);
    case kPower: return power_rule(call, bound);
    case kFold: return fold_rule(call, bound);
    case kNegate: return negate_rule(call, bound);
    case kMagnitude: return magnitude_rule(call, bound);
    case kReciprocal: return reciprocal_rule(call, bound);
    case kSum: return sum_rule(call, bound);
    case kProduct: return product_rule(call, bound);
    case kContraction: return einsum_rule(call, bound);
    case kResample: return resample_rule(call, bound);
    case kScatter: return scatter_rule(call, bound);
    case kRank: return rank_rule(call, bound);
    case kFactors: return factor_rule(call, bound);
    case kCertain: return certain_rule(call, bound);
    case kCompare: return compare_rule(call, bound);
    case kSelect: return where_rule(call, bound);
    case kCast: return cast_rule(call, bound);
    case kComposed: return expand_rule(call, bound);
  }
  return Error("OPK-VERIFY-002", "no error bound is known for the operator " + call.node.op_type,
               "compose the reference from other operators, or state a tolerance with a reason");
}

}  // namespace opkit::oracle
