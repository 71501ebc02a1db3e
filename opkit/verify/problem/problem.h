// Problem: one test of an op, with nothing left open.
#ifndef OPKIT_VERIFY_PROBLEM_PROBLEM_H_
#define OPKIT_VERIFY_PROBLEM_PROBLEM_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "opkit/contract/op_contract.h"
#include "opkit/verify/data/data_class.h"

namespace opkit::verify {

struct Problem {
  std::string soc;  // full name
  size_t column = 0;
  SymbolValues symbols;
  AttrValues attrs;  // complete
  DataClass data = DataClass::kUniform;
  uint64_t seed = 1;
  unsigned threads = 1;

  bool operator==(const Problem&) const = default;
};

// A problem of a plan, and what it was made for: "case 2", "random".
struct PlannedProblem {
  Problem problem;
  std::string origin;
};

// "AddRelu --t T=float16 --d S=7x13 --attr alpha=0.5 --data uniform --seed 7 --soc Ascend910B1
// --threads 2". A scalar's list is "[]"; further options: --absent, --collapse, --count.
std::string to_line(const OpContract& contract, const Problem& problem);

// Reads such a line, with or without the op and a leading "opkit test". Attributes that are not
// given take their defaults. Errors: OPK-VERIFY-010 with what is wrong.
Result<Problem> parse_line(const OpContract& contract, std::string_view line);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_PROBLEM_H_
