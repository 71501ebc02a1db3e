// Shapes with room for data of many kinds.
#ifndef OPKIT_VERIFY_PROBLEM_ROOMY_SYMBOLS_H_
#define OPKIT_VERIFY_PROBLEM_ROOMY_SYMBOLS_H_

#include <optional>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {

// Returns the largest shapes of some, so that each kind of special value has a place in every
// input.
std::optional<SymbolValues> roomy_symbols(const Domain& domain, const AttrValues& attrs,
                                          Draws& draws);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_ROOMY_SYMBOLS_H_
