// Neutral defaults: attributes whose default makes a step of the reference do nothing (a factor of
// 1, an activation that is left out). A problem that keeps such a default does not see the step.
#ifndef OPKIT_VERIFY_NEUTRAL_DEFAULTS_H_
#define OPKIT_VERIFY_NEUTRAL_DEFAULTS_H_

#include <string>
#include <vector>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {

// Attributes in place of the usual ones `usual`, each set legal, with the neutral defaults among
// them replaced by values that do something; none where no default is neutral. Found by evaluating
// the reference on a small call.
std::vector<AttrValues> telling_attrs(const Domain& domain, const AttrValues& usual, Draws& draws);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_NEUTRAL_DEFAULTS_H_
