// Finds attributes with which at least one legal call exists.
#ifndef OPKIT_VERIFY_PROBLEM_LEGAL_ATTRS_H_
#define OPKIT_VERIFY_PROBLEM_LEGAL_ATTRS_H_

#include <optional>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {

// Returns complete attributes: `fixed` as they are, the others their defaults; where these leave no
// legal call, and for required ones, values of the contract's cases and choices that do. Nothing
// when the search finds none.
std::optional<AttrValues> legal_attrs(const Domain& domain, const AttrValues& fixed, Draws& draws);

// Searches without a fixed attribute; what the search does not find is drawn at random.
AttrValues usual_attrs(const Domain& domain, Draws& draws);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_LEGAL_ATTRS_H_
