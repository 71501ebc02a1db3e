// Question: what a launch of its own finds out about a planned call, in this process or in a
// worker. A new question is a struct here, a function in question.cpp and its fields in
// isolation/question_fields.h; executors only carry it.
#ifndef OPKIT_CALL_EXECUTE_QUESTION_H_
#define OPKIT_CALL_EXECUTE_QUESTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "opkit/call/execute/plan_launch.h"
#include "opkit/call/plan/dry_launch.h"
#include "opkit/call/plan/plan_cost.h"
#include "opkit/call/plan/watch.h"
#include "opkit/core/modes/cover.h"
#include "opkit/core/modes/dry.h"

namespace opkit {

using SharedPlan = std::shared_ptr<const CallPlan>;

// Asks what a mode sees of a launch without tensors. Errors: watch_dry_launch's.
struct DryQuestion {
  using Answer = DryWatch;
  static constexpr const char* kAnswer = "what was seen of a launch without data";
  WatchOptions watch{};
};

// Asks whether the output may lie where the input lies. Errors: takes_in_place's.
struct InPlaceQuestion {
  using Answer = bool;
  static constexpr const char* kAnswer = "whether a call works in place";
  InPlace pair{};
};

// Asks for the plan's modelled time. Errors: modelled_cost's.
struct CostQuestion {
  using Answer = PlanCost;
  static constexpr const char* kAnswer = "what a plan costs";
  CostOptions options{};
};

enum class CoverKind {
  kDry,    // without data
  kRoomy,  // has no data, on a chip whose memories are large enough for any tile
  kReal    // has data
};

// Asks which bytes of the outputs a launch writes.
struct CoverQuestion {
  using Answer = CoverLaunch;
  static constexpr const char* kAnswer = "which bytes were written";
  CoverKind kind = CoverKind::kDry;
  // Stands in for computed values in launches without data.
  core::DryAnswer computed = core::DryAnswer::kZero;
};

// Asks which instructions last wrote an element of an output; the answer is sentences, oldest
// first, and empty where the call has no such element.
struct WritersQuestion {
  using Answer = std::vector<std::string>;
  static constexpr const char* kAnswer = "who wrote an element";
  uint64_t port = 0, tensor = 0;
  int64_t element = 0;
};

// Pairs a list of questions with the list of their answers, at the same indices.
template <typename... Each>
struct QuestionList {
  using Question = std::variant<Each...>;
  using Answer = std::variant<typename Each::Answer...>;
};
using Questions =
    QuestionList<DryQuestion, InPlaceQuestion, CostQuestion, CoverQuestion, WritersQuestion>;
using Question = Questions::Question;
using QuestionAnswer = Questions::Answer;

// Says whether the launch works on the caller's tensors; other launches need the plan alone.
bool needs_tensors(const Question& question);
// Returns how many times the chip's own the on-chip memories must be (OpRunner's
// local_memory_factor).
uint32_t room_of(const Question& question);
// Names the answer in messages: "what a plan costs".
const char* name_of_answer(const Question& question);

// Holds the call that a question is about. The last three are read only where needs_tensors.
struct AskedCall {
  SharedPlan plan;
  core::Machine& machine;  // the plan's chip, with room_of(question)
  uint64_t schedule_seed = 0;
  LaunchWith launch{};                              // launches on the tensors
  std::vector<std::vector<const void*>> outputs{};  // where each output tensor lies
  std::function<std::string(const void*)> place{};  // "op_kernel/add.cpp:48", or empty
};

Result<QuestionAnswer> answer(const Question& question, const AskedCall& call);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_QUESTION_H_
