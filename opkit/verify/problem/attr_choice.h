// AttrChoice: a value worth testing for an attribute.
#ifndef OPKIT_VERIFY_PROBLEM_ATTR_CHOICE_H_
#define OPKIT_VERIFY_PROBLEM_ATTR_CHOICE_H_

#include <string>

#include "opkit/contract/attr.h"

namespace opkit::verify {

struct AttrChoice {
  std::string label;  // "default", "max", "negative"
  AttrValue value;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_ATTR_CHOICE_H_
