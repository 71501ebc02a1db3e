// Values worth testing for a list attribute.
#ifndef OPKIT_VERIFY_PROBLEM_LIST_VALUES_H_
#define OPKIT_VERIFY_PROBLEM_LIST_VALUES_H_

#include <vector>

#include "opkit/verify/data/random.h"
#include "opkit/verify/problem/attr_choice.h"

namespace opkit::verify {

// Returns the lengths that tests give the list, the usual one first: those of `length`; of a list
// without `length` its default's, else 0 to 4.
std::vector<size_t> lengths_of(const Attr& attr);

// Returns one legal list for each class: the same element everywhere, ascending, descending, the
// first or last element alone different, counted from the end; of permutations the identity,
// reversed, rotated, two exchanged. Every length has some. `elements`: the choices for one element.
std::vector<AttrChoice> list_choices(const Attr& attr, const std::vector<AttrChoice>& elements);
// Returns a list at random; it may be illegal.
AttrValue random_list(const Attr& attr, const std::vector<AttrChoice>& elements, Draws& draws);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_LIST_VALUES_H_
