// What a host asks of its worker. The worker believes its host; what it answers, the host judges.
#ifndef OPKIT_ISOLATION_REQUESTS_H_
#define OPKIT_ISOLATION_REQUESTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/abi/plugin.h"
#include "opkit/call/execute/question.h"
#include "opkit/call/plan/call_plan.h"
#include "opkit/call/plan/watch.h"
#include "opkit/isolation/limits.h"
#include "opkit/isolation/placement.h"

namespace opkit::isolation {

enum class Ask : uint32_t {
  kOpen,     // OpenRequest -> OpenAnswer
  kCall,     // AuthorCall -> AuthorAnswer
  kPlan,     // a number and a plan; no answer
  kForget,   // a number; no answer
  kLaunch,   // LaunchAsked -> the seconds it took, Watched
  kObserve,  // QuestionAsked -> its QuestionAnswer
  kPlace,    // a return address of the worker -> SourceLine, if any
  kResolve,  // a library, its package's folder and an offset, before kOpen -> SourceLine, if any
  kUnload,   // -> nothing; the library's destructors have run
  kCount
};
enum class Reply : uint32_t { kAnswer, kError, kCount };

struct OpenRequest {
  std::string library, contract;  // files; without a contract nothing is planned
  std::string folder;             // the package's, which the plugin may read
  Limits limits;
  bool watches_unset = false;  // tiling functions tell what they leave alone in plain structs
};

struct OpenAnswer {
  std::string rows;                        // read_rows()
  uint64_t inputs_at = 0, outputs_at = 0;  // where the arenas lie in the worker
  std::string confinement;                 // what the kernel does not offer, a sentence; or empty
};
std::string to_bytes(const OpenRequest& request);
Result<OpenRequest> read_open_request(std::string_view bytes);
std::string to_bytes(const OpenAnswer& answer);
Result<OpenAnswer> read_open_answer(std::string_view bytes);

// Returns a plan without what only the host needs of it. `op`: whose kernels the plan names.
std::string plan_to_bytes(uint64_t number, const CallPlan& plan, const opk_op_v1& op);
struct NumberedPlan {
  uint64_t number = 0;
  std::shared_ptr<const CallPlan> plan;
};
// REQUIRES: contract and op outlive the plan.
Result<NumberedPlan> read_plan(std::string_view bytes, const OpContract& contract,
                               const opk_op_v1& op);

// Names a plan and the machine that it runs on.
struct OnMachine {
  uint64_t plan = 0;
  uint32_t threads = 1, room = 1;
  uint64_t schedule_seed = 0;
};
struct LaunchAsked {
  OnMachine on;
  Placement at;
  WatchOptions watch;
  bool keep_workspace = false;  // it holds what earlier launches left, and no poison
};
struct QuestionAsked {
  OnMachine on;
  std::optional<Placement> at;  // where the tensors lie, if the question needs any
  Question question;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_REQUESTS_H_
