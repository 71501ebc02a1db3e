#include "opkit/verify/proof/proved_result.h"

#include <fmt/format.h>

#include "opkit/call/infer/infer.h"
#include "opkit/verify/proof/checked_dry.h"

namespace opkit::verify {
namespace {

std::string shapes_text(const OpContract& contract, const Problem& problem) {
  const auto shapes = shapes_from_symbols(contract, problem.symbols, problem.attrs);
  if (!shapes.ok()) return {};
  std::vector<std::string> parts;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    for (const Shape& shape : shapes->inputs[p])
      parts.push_back(fmt::format("{} {}", contract.inputs[p].name, shape.to_string()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

ProblemResult result_of(const OpContract& contract, const Problem& problem,
                        const ProvedTiling& proved) {
  ProblemResult result;
  result.problem = problem;
  result.line = to_line(contract, problem);
  result.shapes = shapes_text(contract, problem);
  result.tiling_key = proved.tiling_key;
  result.block_dim = proved.block_dim;
  if (proved.wrong) {
    result.verdict = Verdict::kFailed;
    result.code = proved.wrong->code;
    result.reason = proved.wrong->message;
    for (const std::string& context : proved.wrong->trail)
      result.reason += fmt::format(" (in {})", context);
  } else if (!proved.not_judged.empty()) {
    result.verdict = Verdict::kSkipped;
    result.reason = "the tiling was not judged: " + proved.not_judged;
  }
  return result;
}

ProblemResult judge_tiling(const OpContract& contract, Executor& executor, const Problem& problem) {
  ProvedTiling proved = prove_tiling(contract, executor, problem, nullptr);
  const bool judged = !proved.wrong && proved.not_judged.empty();
  if (judged && proved.instructions <= kMostCheckedDry)
    proved.wrong = checked_dry(executor, proved.plan);
  return result_of(contract, problem, proved);
}

}  // namespace opkit::verify
