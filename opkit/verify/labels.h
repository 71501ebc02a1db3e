// Labels: what a problem covers, in words that a report counts.
#ifndef OPKIT_VERIFY_LABELS_H_
#define OPKIT_VERIFY_LABELS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Names an output where columns are told apart: "y of column T=float16", "y" of a lone column.
std::string output_of_column(const OpContract& contract, const std::string& output, size_t column);

std::vector<std::string> labels_of(const OpContract& contract, const Problem& problem,
                                   const Ports& inputs, const Execution& execution);

// Labels that a complete run of this contract, or of one column of it, must have reached. Which
// tiling keys a single column has is not the contract's to say.
std::vector<std::string> required_labels(const OpContract& contract,
                                         const std::vector<std::string>& socs,
                                         std::optional<size_t> column = {});

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_LABELS_H_
