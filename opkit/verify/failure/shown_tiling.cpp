#include "opkit/verify/failure/shown_tiling.h"

#include <fmt/format.h>

#include <cstdlib>

#include "opkit/base/counted.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

// The variable that opkit_host/plain_tiling.h names, while the object lives.
class TellUnset {
 public:
  TellUnset() { ::setenv(kVariable, "1", 1); }
  ~TellUnset() { ::unsetenv(kVariable); }
  TellUnset(const TellUnset&) = delete;
  TellUnset& operator=(const TellUnset&) = delete;

 private:
  static constexpr const char* kVariable = "OPKIT_TELL_UNSET";
};

// Workers are kept ready: the second one from now on began with the environment of now.
Result<SharedPlan> planned_by_next_but_one(const OpContract& contract, Executor& executor,
                                           const Problem& problem, const CallFacts& facts) {
  executor.forget();
  static_cast<void>(executor.plan(contract, problem.soc, facts));
  executor.forget();
  return executor.plan(contract, problem.soc, facts);
}

// A worker of its own tells what the function leaves alone in a plain struct: it runs once more for
// that. Without workers only classes of tiling data tell.
std::vector<std::string> unset_in(const OpContract& contract, Executor& executor,
                                  const Problem& problem, const CallFacts& facts,
                                  const TilingPlan& known) {
  std::vector<std::string> unset = unset_fields(known);
  if (!unset.empty() || known.data.empty() || !executor.forget()) return unset;
  {
    const TellUnset asked;
    const auto plan = planned_by_next_but_one(contract, executor, problem, facts);
    if (plan.ok()) unset = unset_fields((*plan)->tiling);
  }
  static_cast<void>(planned_by_next_but_one(contract, executor, problem, facts));
  return unset;
}

}  // namespace

std::optional<ShownTiling> shown_tiling(const OpContract& contract, Executor& executor,
                                        const Problem& problem) {
  if (!executor.covers() || is_aicpu(contract)) return std::nullopt;
  const auto call = make_facts(contract, problem);
  if (!call.ok()) return std::nullopt;
  const auto plan = executor.plan(contract, problem.soc, call->facts);
  if (!plan.ok()) return std::nullopt;
  const TilingPlan& tiling = (*plan)->tiling;
  const opk_op_v1& op = *(*plan)->op;
  return ShownTiling{tiling.key, tiling.block_dim, tiling_data_text(op, tiling),
                     tiling_fields(op, tiling),
                     unset_in(contract, executor, problem, call->facts, tiling)};
}

std::string to_text(const ShownTiling& tiling) {
  std::string text = fmt::format("key {}, {}", tiling.key, counted(tiling.block_dim, "block"));
  if (!tiling.data.empty()) text += "; " + tiling.data;
  for (const std::string& unset : tiling.unset) text += "; " + unset;
  return text;
}

Json as_json(const ShownTiling& tiling) {
  Json json{{"key", tiling.key}, {"block_dim", tiling.block_dim}, {"data", tiling.data}};
  json["fields"] = Json::object();
  for (const TilingFieldValue& field : tiling.fields)
    json["fields"][field.name] = field.is_array ? Json(field.values) : Json(field.values.front());
  json["unset"] = tiling.unset;
  return json;
}

}  // namespace opkit::verify
