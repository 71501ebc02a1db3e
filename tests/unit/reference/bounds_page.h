// docs/bounds.md: every operator of the reference and how far a correct kernel may be from its
// exact result, from the table that the tests of ops use.
#ifndef OPKIT_TESTS_UNIT_REFERENCE_BOUNDS_PAGE_H_
#define OPKIT_TESTS_UNIT_REFERENCE_BOUNDS_PAGE_H_

#include <string>

namespace opkit::reference {

std::string bounds_page();

}  // namespace opkit::reference

#endif  // OPKIT_TESTS_UNIT_REFERENCE_BOUNDS_PAGE_H_
