// Phrases: how one operator is said in calls of the vector unit. Private to this folder.
#ifndef OPKIT_FUSION_AUTHOR_PHRASES_H_
#define OPKIT_FUSION_AUTHOR_PHRASES_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/fusion/author/step.h"

namespace opkit::author {

// The calls that compute a step, in float, over `count` elements. Placeholders: {d} the result,
// which is no operand; {a}, {b} the tensors that the step reads, in their order; {t} memory for as
// many elements.
using Calls = std::vector<std::string>;

// Returns nothing when no formula is known for the operator with such operands and attributes.
std::optional<Calls> calls_of(const RegionStep& step);

// Tells whether the calls exist on Ascend 310B, too; they all do on Ascend 910B.
bool small_chips_have(const Calls& calls);

// Returns a float literal that reads back exactly: "0.5f", "-3.0f".
std::string literal(double number);

}  // namespace opkit::author

#endif  // OPKIT_FUSION_AUTHOR_PHRASES_H_
