// The table of all error codes.
#ifndef OPKIT_BASE_CODES_CODES_H_
#define OPKIT_BASE_CODES_CODES_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/codes/code.h"

namespace opkit {

// Sorted by id.
const std::vector<Code>& all_codes();

// nullptr: there is no such code. Upper and lower case are the same.
const Code* find_code(std::string_view id);

// "EK1103: ...\n  for example: ...\n  cure: ...\n  read: ...\n"
std::string explain(const Code& code);

}  // namespace opkit

#endif  // OPKIT_BASE_CODES_CODES_H_
