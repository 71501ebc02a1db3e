// What a host believes of a worker's answer to a question.
#ifndef OPKIT_ISOLATION_ACCEPT_ANSWER_H_
#define OPKIT_ISOLATION_ACCEPT_ANSWER_H_

#include <optional>
#include <string>

#include "opkit/base/wire.h"
#include "opkit/call/execute/question.h"

namespace opkit::isolation {

// Reads the answer to this question; `names` keeps the names that it holds. OPK-WORKER-006: the
// bytes are no answer, or one to another question.
Result<QuestionAnswer> read_answer(const std::string& body, const Question& question,
                                   wire::Names& names);

// Checks an answer about the plan, whose type is already right, and adds what is the host's own:
// the chip's figures. OPK-WORKER-006: it cannot be of this plan.
Status accept_answer(QuestionAnswer& answer, const CallPlan& plan);

// Gives a timed launch the chip's figures: they are the host's own, and the worker has refused
// those that nobody measured.
Status take_rates(std::optional<core::TimedResult>& timed, const SocSpec& soc);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_ACCEPT_ANSWER_H_
