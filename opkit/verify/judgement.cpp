#include "opkit/verify/judgement.h"

#include <fmt/format.h>

#include <cmath>

#include "opkit/base/digest.h"
#include "opkit/verify/labels.h"

namespace opkit::verify {
namespace {

constexpr int64_t kEnoughToTell = 64;  // elements

// Returns what the interpreter said, and where in the contract: "... (node t0,
// op_contract.yaml:12:5)".
std::string placed_message(const Error& error) {
  std::string place;
  for (const std::string& outer : error.trail) place += (place.empty() ? "" : ", ") + outer;
  if (error.where.line > 0) place += (place.empty() ? "" : ", ") + error.where.to_string();
  return place.empty() ? error.message : fmt::format("{} ({})", error.message, place);
}

std::string port_text(const std::vector<Port>& ports, const Ports& tensors) {
  std::vector<std::string> parts;
  for (size_t p = 0; p < ports.size() && p < tensors.size(); ++p) {
    for (const Tensor& tensor : tensors[p])
      parts.push_back(fmt::format("{} {}", ports[p].name, tensor.shape().to_string()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe(const oracle::Comparison& comparison) {
  const oracle::WrongElement& worst = comparison.worst.front();
  std::string text = fmt::format("{}: {} of {} elements wrong; at [{}] got {:.9g}, expected {:.9g}",
                                 comparison.output, comparison.wrong, comparison.elements,
                                 fmt::join(worst.index, ", "), worst.got, worst.expected);
  if (worst.lo != worst.hi) text += fmt::format(" (accepted {:.9g} to {:.9g})", worst.lo, worst.hi);
  if (std::isfinite(worst.ulps) && worst.ulps > 0)
    text += fmt::format(", {:.3g} ulps off", worst.ulps);
  if (comparison.wrong_zero > 0)
    text += fmt::format("; {} zeros have the wrong sign, which the reference determines here",
                        comparison.wrong_zero);
  if (comparison.untouched > 0)
    text += fmt::format("; {} elements were never written", comparison.untouched);
  return text;
}

std::string_view bytes_in(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()};
}

// Where intermediate results may overflow, a kernel may leave an infinity whatever its arithmetic.
bool tells_exactness(const ProblemResult& result, const oracle::Comparison& comparison) {
  return std::isfinite(comparison.tolerance_share) ||
         result.problem.data != DataClass::kNearOverflow;
}

// Returns what would make the bound of an output narrower.
std::string narrower_bound(const OpContract& contract, size_t column, size_t port) {
  const DType working = contract.numeric.accumulate.value_or(contract.outputs[port].dtypes[column]);
  if (is_float(working) && bits_of(working) < 32)
    return fmt::format(
        "it follows from arithmetic in {}; state numeric: {{accumulate: float32}} "
        "when the kernel computes in float",
        name_of(working));
  return "bound the inputs (values:) so that terms do not cancel or overflow, or state tolerance: "
         "with its reason";
}

void end(ProblemResult& result, Verdict verdict, std::string reason, std::string code) {
  result.verdict = verdict;
  result.reason = std::move(reason);
  result.code = std::move(code);
}

}  // namespace

std::string digest_of(const Tensor& tensor) { return sha256_hex(bytes_in(tensor)); }

std::string digest_of(const Ports& ports) {
  std::vector<std::string_view> pieces;
  for (const auto& port : ports) {
    for (const Tensor& tensor : port) pieces.push_back(bytes_in(tensor));
  }
  return sha256_hex(pieces);
}

void note_run(const OpContract& contract, const Problem& problem, const Ports& inputs,
              const Execution& execution, ProblemResult& result) {
  result.ran = true;
  result.tiling_key = execution.tiling_key;
  result.block_dim = execution.block_dim;
  for (const auto* side : {&inputs, &execution.outputs}) {
    for (const auto& port : *side) {
      for (const Tensor& tensor : port) result.elements += tensor.elements();
    }
  }
  result.shapes = fmt::format("{} -> {}", port_text(contract.inputs, inputs),
                              port_text(contract.outputs, execution.outputs));
  result.labels = labels_of(contract, problem, inputs, execution);
}

void end_refused(const Error& error, ProblemResult& result) {
  const bool no_kernel = error.is(Cause::kNoKernel);
  std::string reason = fmt::format("{}: {}", error.code, error.message);
  for (const std::string& context : error.trail) reason += fmt::format(" (in {})", context);
  if (error.is(Cause::kTiling)) reason = "a call that the contract allows was refused: " + reason;
  end(result, no_kernel ? Verdict::kUnimplemented : Verdict::kFailed, reason, error.code);
}

void end_without_oracle(const Error& error, ProblemResult& result) {
  const bool of_data = error.is(Cause::kUndefinedValues);
  const std::string text = placed_message(error);
  if (of_data)
    return end(result, Verdict::kSkipped, "the reference is undefined for these data: " + text,
               error.code);
  end(result, Verdict::kUnimplemented, text, error.code);
}

void fail_by_values(ProblemResult& result) {
  for (const oracle::Comparison& comparison : result.outputs) {
    if (!comparison.ok())
      return end(result, Verdict::kFailed, describe(comparison), "OPK-VERIFY-022");
  }
}

void mistrust(const OpContract& contract, ProblemResult& result) {
  for (const oracle::Comparison& comparison : result.outputs) {
    if (comparison.elements < kEnoughToTell) continue;
    if (!comparison.trivial.empty())
      return end(result, Verdict::kMistrusted,
                 fmt::format("a kernel that writes {} would pass, too ({}): bound the inputs, e.g. "
                             "values: [1, 2], so that results differ from that",
                             comparison.trivial.front(), comparison.output),
                 "OPK-VERIFY-024");
    if (comparison.tolerance_share > 0.5 && tells_exactness(result, comparison))
      return end(result, Verdict::kMistrusted,
                 fmt::format("the bound of {} is {:.2g} of the largest result: {}",
                             comparison.output, comparison.tolerance_share,
                             narrower_bound(contract, result.problem.column, comparison.port)),
                 "OPK-VERIFY-025");
  }
}

}  // namespace opkit::verify
