#include "opkit/cli/commands/tested_op.h"

#include <nlohmann/json.hpp>

#include "opkit/cli/text/read_json.h"
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
  const auto all = nlohmann::ordered_json::parse(message, nullptr, false);
  const int fate = all.is_object() ? all.value("fate", -1) : -1;
  if (fate < 0 || fate > static_cast<int>(OpFate::kSkipped))
    return spread::unreadable_answer("the tests of " + op, "opkit test " + op);
  return TestedOp{
      all.value("op", op),       all.value("version", ""),        static_cast<OpFate>(fate),
      all.value("reason", ""),   read_json(all["report"].dump()), all.value("problems", size_t{0}),
      all.value("seconds", 0.0), all.value("junit", ""),          all.value("interrupted", false)};
}

}  // namespace opkit::cli
