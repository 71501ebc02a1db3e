// All outputs of a call beside what its reference allows.
#ifndef OPKIT_ORACLE_COMPARE_CALL_H_
#define OPKIT_ORACLE_COMPARE_CALL_H_

#include <optional>
#include <vector>

#include "opkit/oracle/compare.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/oracle/oracle_in_parts.h"

namespace opkit::oracle {

// The reference is of another dtype or shape than the output.
inline constexpr const char* kComputesAnother = "OPK-VERIFY-023";

// kComputesAnother when the reference computes another dtype or shape (null: nothing) for an
// output.
std::optional<Error> computes_another(const Port& output, const Tensor& got, DType dtype,
                                      const Shape* shape);

// Checks all outputs of a call against values that an oracle will compute part by part.
Status check_computed(const OracleInParts& oracle, const OpContract& contract,
                      const std::vector<std::vector<Tensor>>& outputs);

// Tells whether dtype, shape and bits are equal.
bool same_bytes(const Tensor& a, const Tensor& b);

// Returns one comparison per tensor, port by port. Where the reference has many values, between two
// steps too, it is evaluated part by part if it can be cut. Errors: OPK-VERIFY-001 no reference,
// -002 an operator without a rule, -023, and those of the interpreter.
Result<std::vector<Comparison>> compare_call(const OracleCall& call,
                                             const std::vector<std::vector<Tensor>>& outputs);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_COMPARE_CALL_H_
