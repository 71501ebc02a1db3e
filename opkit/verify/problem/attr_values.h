// Values worth testing for an attribute.
#ifndef OPKIT_VERIFY_PROBLEM_ATTR_VALUES_H_
#define OPKIT_VERIFY_PROBLEM_ATTR_VALUES_H_

#include <vector>

#include "opkit/verify/data/random.h"
#include "opkit/verify/problem/attr_choice.h"

namespace opkit::verify {

// Returns one legal value for each class: default, every enum member, both ends of the range, 0, 1,
// negative, fractional. Lists: see list_values.h.
std::vector<AttrChoice> attr_choices(const Attr& attr);
// A value at random, legal unless the search for one ends without.
AttrValue random_attr(const Attr& attr, Draws& draws);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_ATTR_VALUES_H_
