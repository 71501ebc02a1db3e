// What is said of a problem that ran, however its values are compared: at once or in parts.
#ifndef OPKIT_VERIFY_JUDGEMENT_H_
#define OPKIT_VERIFY_JUDGEMENT_H_

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Returns the SHA-256 of all tensors' bytes, one after the other.
std::string digest_of(const Ports& ports);
std::string digest_of(const Tensor& tensor);
// What ran: all but the values.
void note_run(const OpContract& contract, const Problem& problem, const Ports& inputs,
              const Execution& execution, ProblemResult& result);
// A legal call that was refused fails; without a kernel for it, it is UNIMPLEMENTED.
void end_refused(const Error& error, ProblemResult& result);
// The reference gave no values: undefined data (SKIPPED), else UNIMPLEMENTED.
void end_without_oracle(const Error& error, ProblemResult& result);
// FAILED when a comparison of the result has wrong elements.
void fail_by_values(ProblemResult& result);
// MISTRUSTED when a kernel that computes nothing would look right, or the bound is too wide; the
// reason ends with what to change.
void mistrust(const OpContract& contract, ProblemResult& result);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_JUDGEMENT_H_
