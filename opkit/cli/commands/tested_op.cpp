#include "opkit/cli/commands/tested_op.h"

#include "opkit/spread/hand_out.h"

namespace opkit::cli {

std::string message_of(const TestedOp& tested) {
  const Json all{{"op", tested.op},
                 {"version", tested.version},
                 {"fate", static_cast<int>(tested.fate)},
                 {"reason", tested.reason},
                 {"report", tested.report},
                 {"problems", tested.problems},
                 {"seconds", tested.seconds},
                 {"junit", tested.junit},
                 {"interrupted", tested.interrupted}};
  return all.dump(0);
}

Result<TestedOp> read_tested_op(const std::string& op, const std::string& message) {
  const Json all = Json::parse(message).value_or(Json());
  const int64_t fate = all["fate"].whole().value_or(-1);
  if (fate < 0 || fate > static_cast<int64_t>(OpFate::kSkipped))
    return spread::unreadable_answer("the tests of " + op, "opkit test " + op);
  return TestedOp{all["op"].text_or(op),
                  all["version"].text_or(""),
                  static_cast<OpFate>(fate),
                  all["reason"].text_or(""),
                  all["report"],
                  all["problems"].natural().value_or(0),
                  all["seconds"].real().value_or(0),
                  all["junit"].text_or(""),
                  all["interrupted"].truth().value_or(false)};
}

}  // namespace opkit::cli
