#include "opkit/verify/failure/shown_tiling.h"

#include <fmt/format.h>

#include "opkit/base/counted.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

// A worker of its own tells what the function leaves alone in a plain struct: it runs once more for
// that. Without workers only classes of tiling data tell.
std::vector<std::string> unset_in(const OpContract& contract, Executor& executor,
                                  const Problem& problem, const CallFacts& facts,
                                  const TilingPlan& known) {
  std::vector<std::string> unset = unset_fields(known);
  if (!unset.empty() || known.data.empty() || !executor.watch_unset(true)) return unset;
  const auto plan = executor.plan(contract, problem.soc, facts);
  if (plan.ok()) unset = unset_fields((*plan)->tiling);
  executor.watch_unset(false);
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
