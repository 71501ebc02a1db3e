// Makes a rule's outcome from evaluations at the ends of the operands' intervals.
#ifndef OPKIT_ORACLE_OUTCOME_H_
#define OPKIT_ORACLE_OUTCOME_H_

#include "opkit/oracle/rule.h"

namespace opkit::oracle {

// Every operand is exactly its value and waits for no rounding.
bool all_exact(const NodeCall& call);
bool any_pending(const NodeCall& call);
// An operand has an element of which NaN is possible and not certain.
bool nan_possible(const NodeCall& call);
// Returns the oracle's values, without any error.
BoundedOutputs exact_outcome(const NodeCall& call, bool pending);

enum class End { kLow, kHigh, kNan };
// Returns the operands at one end; kNan: NaN wherever NaN is possible, the value elsewhere.
std::vector<reference::RefTensor> operands_at(const NodeCall& call, End end);

// Evaluates the node at both ends: the outcome of a function that rises with every operand (or
// falls with every operand).
Result<BoundedOutputs> outcome_of_ends(const NodeCall& call, bool pending);

// Judges a reduction's bounds: NaN is possible where an operand's NaN would be seen, and certain
// where both ends of the operands give it.
Status judge_nan(const NodeCall& call, Bounded& out);

// Returns the error of the chip's function at results within c, for the given operand.
double function_error(const Bound& bound, const Working& working, const Interval& c);
// Takes the oracle's value into the interval and, where the type's subnormal range is reached,
// zero: functions may flush (the 950's arithmetic is stated "without denormals").
Interval finished(Interval c, double value, const Working& working, bool may_flush);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_OUTCOME_H_
