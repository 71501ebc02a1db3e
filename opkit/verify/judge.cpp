#include "opkit/verify/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/base/digest.h"
#include "opkit/infer/infer.h"
#include "opkit/verify/labels.h"
#include "opkit/verify/laws.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/proof/tiling_proof.h"
#include "opkit/verify/repeat.h"
#include "opkit/verify/tolerance/evaluate_bounded.h"

namespace opkit::verify {
namespace {

// What the interpreter said, and where in the contract: "... (node t0, op_contract.yaml:12:5)".
std::string placed_message(const Error& error) {
  std::string place;
  for (const std::string& outer : error.trail) place += (place.empty() ? "" : ", ") + outer;
  if (error.where.line > 0) place += (place.empty() ? "" : ", ") + error.where.to_string();
  return place.empty() ? error.message : fmt::format("{} ({})", error.message, place);
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::string digest_of(const Ports& ports) {
  std::string bytes;
  for (const auto& port : ports) {
    for (const Tensor& tensor : port)
      bytes.append(reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes());
  }
  return sha256_hex(bytes);
}

std::string port_text(const std::vector<Port>& ports, const Ports& tensors) {
  std::vector<std::string> parts;
  for (size_t p = 0; p < ports.size() && p < tensors.size(); ++p) {
    for (const Tensor& tensor : tensors[p])
      parts.push_back(fmt::format("{} {}", ports[p].name, tensor.shape().to_string()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe(const Comparison& comparison) {
  const WrongElement& worst = comparison.worst.front();
  std::string text = fmt::format("{}: {} of {} elements wrong; at [{}] got {:.9g}, expected {:.9g}",
                                 comparison.output, comparison.wrong, comparison.elements,
                                 fmt::join(worst.index, ", "), worst.got, worst.expected);
  if (worst.lo != worst.hi) text += fmt::format(" (accepted {:.9g} to {:.9g})", worst.lo, worst.hi);
  if (std::isfinite(worst.ulps)) text += fmt::format(", {:.3g} ulps off", worst.ulps);
  if (comparison.untouched > 0)
    text += fmt::format("; {} elements were never written", comparison.untouched);
  return text;
}

// Elements, as they are stored; the Checked mode takes its time.
constexpr int64_t kMostChecked = int64_t{1} << 16;

class Trial {
 public:
  // `inputs`: the problem's tensors; empty: they are generated.
  Trial(const OpContract& contract, Executor& executor, const Problem& problem, Ports inputs = {})
      : contract_(contract), executor_(executor), problem_(problem), inputs_(std::move(inputs)) {
    result_.problem = problem;
    result_.line = to_line(contract, problem);
    small_ = stored_elements(contract, problem).value_or(0) <= kMostChecked;
  }

  ProblemResult run() {
    if (const std::string reason = not_on_chip(contract_, problem_); !reason.empty())
      return ended(Verdict::kSkipped, reason);
    if (inputs_.empty()) {
      auto made = make_inputs(contract_, problem_);
      if (!made.ok() && made.error().code == "OPK-VERIFY-013")
        return ended(Verdict::kSkipped, made.error().message, made.error().code);
      if (!made.ok()) return refuse(made.error()), std::move(result_);
      inputs_ = std::move(made).value();
    }
    result_.input_digest = digest_of(inputs_);
    if (const Status planned = make_plan(); !planned.ok())
      return planned.error().code == "OPK-VERIFY-021"
                 ? ended(Verdict::kFailed, planned.error().message, planned.error().code)
                 : (refuse(planned.error()), std::move(result_));
    auto first = execute(problem_.threads);
    if (!first.ok()) return refuse(first.error()), std::move(result_);
    first_ = std::move(first).value();
    note_run();
    for (const auto check : {&Trial::check_shapes, &Trial::check_inputs, &Trial::check_cover,
                             &Trial::check_repeat, &Trial::check_checked, &Trial::check_schedules,
                             &Trial::check_values, &Trial::check_laws, &Trial::check_trust}) {
      if (!(this->*check)()) break;
    }
    return std::move(result_);
  }

 private:
  // All runs of the problem are launches of one plan; a second one shows whether the host side
  // remembers earlier calls.
  Status make_plan() {
    if (!executor_.covers()) return {};
    CallFacts facts = facts_of(contract_, inputs_);
    facts.attrs = problem_.attrs;
    // A call with other attributes first: what the host side remembers is then known, so that the
    // problem fails alone as it does here.
    CallFacts neutral = facts;
    neutral.attrs = {};
    static_cast<void>(executor_.plan(contract_, problem_.soc, neutral));
    OPKIT_TRY(plan_, executor_.plan(contract_, problem_.soc, facts));
    OPKIT_TRY(const SharedPlan again, executor_.plan(contract_, problem_.soc, facts));
    if (auto differs = differing_plans(*plan_, *again)) return std::move(*differs);
    return {};
  }

  Invocation invocation(unsigned threads) const {
    Invocation call;
    call.contract = &contract_;
    call.soc = problem_.soc;
    call.inputs = inputs_;
    call.attrs = problem_.attrs;
    call.threads = threads;
    call.plan = plan_;
    return call;
  }

  Result<Execution> execute(unsigned threads, bool checked = false) {
    Invocation call = invocation(threads);
    call.checked = checked;
    return executor_.run(std::move(call));
  }

  ProblemResult ended(Verdict verdict, std::string reason, std::string code = {}) {
    fail(verdict, std::move(reason), std::move(code));
    return std::move(result_);
  }

  bool fail(Verdict verdict, std::string reason, std::string code = {}) {
    result_.verdict = verdict;
    result_.reason = std::move(reason);
    result_.code = std::move(code);
    return false;
  }

  // A legal call must run.
  bool refuse(Error error) {
    if (error.code == "EK1101" && executor_.covers()) {
      ProvedTiling proved = prove_tiling(contract_, executor_, problem_, &inputs_, plan_);
      if (proved.wrong && proved.wrong->code == error.code) error = std::move(*proved.wrong);
    }
    const Verdict verdict =
        error.code == "OPK-RUN-002" ? Verdict::kUnimplemented : Verdict::kFailed;
    std::string reason = fmt::format("{}: {}", error.code, error.message);
    for (const std::string& context : error.trail) reason += fmt::format(" (in {})", context);
    if (error.code.rfind("OPK-TILE", 0) == 0)
      reason = "a call that the contract allows was refused: " + reason;
    return fail(verdict, reason, error.code);
  }

  void note_run() {
    result_.ran = true;
    result_.tiling_key = first_.tiling_key;
    result_.block_dim = first_.block_dim;
    for (const auto* side : {&inputs_, &first_.outputs}) {
      for (const auto& port : *side) {
        for (const Tensor& tensor : port) result_.elements += tensor.elements();
      }
    }
    result_.output_digest = digest_of(first_.outputs);
    result_.shapes = fmt::format("{} -> {}", port_text(contract_.inputs, inputs_),
                                 port_text(contract_.outputs, first_.outputs));
    result_.labels = labels_of(contract_, problem_, inputs_, first_);
  }

  // What the contract promises about the outputs is what came out.
  bool check_shapes() {
    if (first_.column != problem_.column)
      return fail(Verdict::kFailed, fmt::format("bound to column {} in place of {}",
                                                contract_.column_name(first_.column),
                                                contract_.column_name(problem_.column)));
    if (const std::string complaint = unlisted_key(); !complaint.empty())
      return fail(Verdict::kFailed, complaint, "OPK-VERIFY-026");
    auto shapes = shapes_from_symbols(contract_, problem_.symbols, problem_.attrs);
    if (!shapes.ok()) return fail(Verdict::kFailed, shapes.error().to_string());
    for (size_t p = 0; p < contract_.outputs.size(); ++p) {
      const std::vector<Shape>& expected = shapes->outputs[p];
      if (first_.outputs[p].size() != expected.size())
        return fail(Verdict::kFailed, fmt::format("output {} has {} tensors, {} were promised",
                                                  contract_.outputs[p].name,
                                                  first_.outputs[p].size(), expected.size()));
      for (size_t i = 0; i < expected.size(); ++i) {
        const Tensor& got = first_.outputs[p][i];
        const bool open = !expected[i].has_rank() || !expected[i].is_static();
        if (got.dtype() == contract_.outputs[p].dtypes[problem_.column] &&
            (open || got.shape() == expected[i]))
          continue;
        return fail(
            Verdict::kFailed,
            fmt::format("output {} is {} {}, but the contract promises {} {}",
                        contract_.outputs[p].name, name_of(got.dtype()), got.shape().to_string(),
                        name_of(contract_.outputs[p].dtypes[problem_.column]),
                        expected[i].to_string()));
      }
    }
    return true;
  }

  std::string unlisted_key() const {
    if (!contract_.kernel || contract_.kernel->tiling_keys.empty()) return {};
    const std::vector<int64_t>& keys = contract_.kernel->tiling_keys;
    if (std::count(keys.begin(), keys.end(), static_cast<int64_t>(first_.tiling_key)) > 0)
      return {};
    return fmt::format("tiling chose key {}, which the contract does not list ({})",
                       first_.tiling_key, fmt::join(keys, ", "));
  }

  bool check_inputs() {
    for (size_t p = 0; p < inputs_.size(); ++p) {
      if (contract_.inputs[p].written) continue;
      for (size_t i = 0; i < inputs_[p].size() && i < first_.inputs[p].size(); ++i) {
        if (same_bytes(inputs_[p][i], first_.inputs[p][i])) continue;
        return fail(Verdict::kFailed,
                    fmt::format("the kernel changed its input {}", contract_.inputs[p].name),
                    "OPK-VERIFY-020");
      }
    }
    return check_input_padding();
  }

  // It was zero. The padding of outputs is not judged, only told.
  bool check_input_padding() {
    for (size_t p = 0; p < first_.input_padding.size(); ++p) {
      for (const Padding& padding : first_.input_padding[p]) {
        if (padding.not_zero == 0) continue;
        return fail(Verdict::kFailed,
                    fmt::format("the kernel changed its input {}: {} elements of its padding",
                                contract_.inputs[p].name, padding.not_zero),
                    "OPK-VERIFY-020");
      }
    }
    for (size_t p = 0; p < first_.output_padding.size(); ++p) {
      for (const Padding& padding : first_.output_padding[p]) {
        if (padding.elements > 0) result_.padding.emplace_back(contract_.outputs[p].name, padding);
      }
    }
    return true;
  }

  // Every element is written by one core.
  bool check_cover() {
    if (!executor_.covers()) return true;
    const ProvedTiling proved = prove_tiling(contract_, executor_, problem_, &inputs_, plan_);
    return proved.wrong ? refuse(*proved.wrong) : true;
  }

  bool check_repeat() {
    const auto differs =
        repeat_with_threads(executor_, invocation(problem_.threads), first_, problem_.seed);
    return differs ? fail(Verdict::kFailed, differs->message, differs->code) : true;
  }

  // A function in place of a kernel has no schedule.
  bool check_schedules() {
    if (!executor_.covers() || !small_) return true;
    const auto differs = repeat_with_schedules(executor_, invocation(1), first_, problem_.seed);
    return differs ? fail(Verdict::kFailed, differs->message, differs->code) : true;
  }

  // Once more with every check of the engine: queues, races, uninitialised and foreign memory.
  bool check_checked() {
    if (!small_) return true;
    const auto checked = execute(1, true);
    if (!checked.ok()) return refuse(checked.error());
    const std::string output = differing_output(contract_, first_, *checked);
    if (output.empty()) return true;
    return fail(
        Verdict::kFailed,
        fmt::format("output {} of the Checked mode has other bits than the Fast mode", output),
        "OPK-VERIFY-021");
  }

  bool check_values() {
    OracleCall call{&contract_, &inputs_, problem_.attrs, problem_.symbols, problem_.column};
    auto expected = evaluate_bounded(call);
    if (!expected.ok()) return no_oracle(expected.error());
    for (size_t p = 0; p < first_.outputs.size(); ++p) {
      for (size_t i = 0; i < first_.outputs[p].size(); ++i) {
        if (!compare_output(p, i, *expected)) return false;
      }
    }
    for (const Comparison& comparison : result_.outputs) {
      if (!comparison.ok()) return fail(Verdict::kFailed, describe(comparison), "OPK-VERIFY-022");
    }
    return true;
  }

  bool compare_output(size_t p, size_t i, const std::vector<std::vector<Bounded>>& expected) {
    Tensor& got = first_.outputs[p][i];
    const reference::RefTensor* computed = i < expected[p].size() ? &expected[p][i].value : nullptr;
    if (computed == nullptr || computed->shape != got.shape() || computed->dtype != got.dtype())
      return fail(
          Verdict::kFailed,
          fmt::format("output {} is {} {}, its reference computes {}: correct the one or the other",
                      contract_.outputs[p].name, name_of(got.dtype()), got.shape().to_string(),
                      computed == nullptr ? std::string("nothing")
                                          : fmt::format("{} {}", name_of(computed->dtype),
                                                        computed->shape.to_string())),
          "OPK-VERIFY-023");
    got.desc().name = tensor_name(contract_.outputs[p], i);
    result_.outputs.push_back(compare(contract_, problem_.column, got, expected[p][i], inputs_));
    result_.outputs.back().port = p;
    return true;
  }

  bool no_oracle(const Error& error) {
    if (error.code == "OPK-REF-012" || error.code == "OPK-REF-008")
      return fail(Verdict::kSkipped,
                  "the reference is undefined for these data: " + placed_message(error),
                  error.code);
    return fail(Verdict::kUnimplemented, placed_message(error), error.code);
  }

  // What the reference implies for the same elements in other places.
  bool check_laws() {
    const bool telling = problem_.data == DataClass::kUniform ||
                         problem_.data == DataClass::kNormal ||
                         problem_.data == DataClass::kSpecial;
    if (!telling || !small_) return true;
    const auto broken = break_law(executor_, invocation(problem_.threads), first_);
    return broken ? fail(Verdict::kFailed, broken->message, broken->code) : true;
  }

  // A kernel that computes nothing must not look right.
  bool check_trust() {
    if (!is_telling(problem_.data)) return true;
    for (const Comparison& comparison : result_.outputs) {
      if (comparison.elements < 64) continue;
      if (!comparison.trivial.empty())
        return fail(Verdict::kMistrusted,
                    fmt::format("a kernel that writes {} would pass, too ({})",
                                comparison.trivial.front(), comparison.output),
                    "OPK-VERIFY-024");
      if (comparison.tolerance_share > 0.5)
        return fail(Verdict::kMistrusted,
                    fmt::format("the bound of {} is {:.2g} of the largest result: state a wider "
                                "numeric.accumulate",
                                comparison.output, comparison.tolerance_share),
                    "OPK-VERIFY-025");
    }
    return true;
  }

  const OpContract& contract_;
  Executor& executor_;
  const Problem& problem_;
  Ports inputs_;
  SharedPlan plan_;
  Execution first_;
  ProblemResult result_;
  bool small_ = true;
};

}  // namespace

ProblemResult judge(const OpContract& contract, Executor& executor, const Problem& problem) {
  constexpr int64_t kMostOnData = int64_t{1} << 24;  // elements; the oracle needs 24 bytes for each
  const auto elements = stored_elements(contract, problem);
  if (elements && *elements > kMostOnData && executor.covers() &&
      not_on_chip(contract, problem).empty()) {
    ProblemResult result = judge_tiling(contract, executor, problem);
    if (result.verdict != Verdict::kPassed) return result;
    result.verdict = Verdict::kSkipped;
    result.reason =
        fmt::format("{} elements are too many to run on data; the tiling is right", *elements);
    return result;
  }
  return Trial(contract, executor, problem).run();
}

ProblemResult judge_with(const OpContract& contract, Executor& executor, const Problem& problem,
                         Ports inputs) {
  return Trial(contract, executor, problem, std::move(inputs)).run();
}

}  // namespace opkit::verify
