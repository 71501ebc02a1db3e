// What kernels leave in the padding of outputs, which no problem judges.
#ifndef OPKIT_VERIFY_REPORT_PADDING_NOTES_H_
#define OPKIT_VERIFY_REPORT_PADDING_NOTES_H_

#include <string>
#include <vector>

#include "opkit/verify/test_report.h"

namespace opkit::verify {

// Returns one sentence for each output of each column whose padding was not zero in some problem.
std::vector<std::string> padding_notes(const OpContract& contract,
                                       const std::vector<ProblemResult>& results);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_REPORT_PADDING_NOTES_H_
