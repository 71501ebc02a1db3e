// What the verdicts of `opkit test` mean, as codes are explained.
#ifndef OPKIT_BASE_CODES_VERDICTS_H_
#define OPKIT_BASE_CODES_VERDICTS_H_

#include <string_view>
#include <vector>

#include "opkit/base/codes/code.h"

namespace opkit {

// Their ids are the words that reports print: "MISTRUSTED".
const std::vector<Code>& all_verdicts();

// nullptr: there is no such verdict. Upper and lower case are the same.
const Code* find_verdict(std::string_view word);

}  // namespace opkit

#endif  // OPKIT_BASE_CODES_VERDICTS_H_
