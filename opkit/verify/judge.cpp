#include "opkit/verify/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/contract/kernel_kind.h"
#include "opkit/core/modes/checked_codes.h"
#include "opkit/oracle/compare_call.h"
#include "opkit/verify/judgement.h"
#include "opkit/verify/laws.h"
#include "opkit/verify/promises.h"
#include "opkit/verify/proof/checked_dry.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/repeat.h"

namespace opkit::verify {
namespace {

// Elements, as they are stored; the Checked mode takes its time.
constexpr int64_t kMostChecked = int64_t{1} << 16;
constexpr const char* kTwoWriters = "OPK-VERIFY-061";

// Where among the schedules by chance a problem begins: all problems together meet many.
uint64_t place_of_schedules(const std::string& line) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash >> 16;
}

class Trial {
 public:
  // Tries a problem on its tensors `inputs`; empty: they are generated.
  Trial(const OpContract& contract, Executor& executor, const Problem& problem,
        const JudgeOptions& options, Ports inputs = {})
      : contract_(contract),
        executor_(executor),
        problem_(problem),
        options_(options),
        inputs_(std::move(inputs)) {
    result_.problem = problem;
    result_.line = to_line(contract, problem);
    small_ = stored_elements(contract, problem).value_or(0) <= kMostChecked;
  }

  ProblemResult run() {
    if (const std::string reason = not_on_chip(contract_, problem_); !reason.empty())
      return ended(Verdict::kSkipped, reason);
    if (inputs_.empty()) {
      auto made = make_inputs(contract_, problem_);
      if (!made.ok() && made.error().is(Cause::kFewValues))
        return ended(Verdict::kSkipped, made.error().message, made.error().code);
      if (!made.ok()) return refuse(made.error()), std::move(result_);
      inputs_ = std::move(made).value();
    }
    result_.input_digest = digest_of(inputs_);
    if (const Status planned = make_plan(); !planned.ok())
      return planned.error().is(Cause::kOtherBits)
                 ? ended(Verdict::kFailed, planned.error().message, planned.error().code)
                 : (refuse(planned.error()), std::move(result_));
    auto first = execute(problem_.threads);
    if (!first.ok()) return refuse(first.error()), std::move(result_);
    first_ = std::move(first).value();
    note_run();
    for (const auto check :
         {&Trial::check_shapes, &Trial::check_inputs, &Trial::check_cover, &Trial::check_checked,
          &Trial::check_repeat, &Trial::check_same_bits, &Trial::check_schedules,
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
    if (error.is(Cause::kBehindMemory) && executor_.covers()) {
      ProvedTiling proved = prove_tiling(contract_, executor_, problem_, &inputs_, plan_);
      if (proved.wrong && proved.wrong->code == error.code) error = std::move(*proved.wrong);
    }
    end_refused(error, result_);
    return false;
  }

  void note_run() {
    opkit::verify::note_run(contract_, problem_, inputs_, first_, result_);
    result_.output_digest = digest_of(first_.outputs);
  }

  bool check_shapes() {
    const auto broken = broken_promise(contract_, problem_, first_);
    return broken ? fail(Verdict::kFailed, broken->message, broken->code) : true;
  }

  bool check_inputs() {
    for (size_t p = 0; p < inputs_.size(); ++p) {
      if (contract_.inputs[p].written) continue;
      for (size_t i = 0; i < inputs_[p].size() && i < first_.inputs[p].size(); ++i) {
        if (oracle::same_bytes(inputs_[p][i], first_.inputs[p][i])) continue;
        return fail(Verdict::kFailed,
                    fmt::format("the kernel changed its input {}", contract_.inputs[p].name),
                    "OPK-VERIFY-020");
      }
    }
    return check_input_padding();
  }

  // Checks that the padding of inputs is still zero. The padding of outputs is not judged, only
  // told.
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

  // Every element is written by one core. What is too large for Checked is checked without data.
  bool check_cover() {
    if (!executor_.covers()) return true;
    ProvedTiling proved = prove_tiling(contract_, executor_, problem_, &inputs_, plan_);
    if (proved.wrong) {
      if (proved.wrong->code == kTwoWriters) add_instructions(*proved.wrong);
      return refuse(std::move(*proved.wrong));
    }
    if (small_ || proved.instructions > kMostCheckedDry || !proved.not_judged.empty()) return true;
    if (options_.watched && !options_.watched->needs(*plan_, proved.instructions)) return true;
    const auto mistake = checked_dry(executor_, plan_);
    return mistake ? refuse(*mistake) : true;
  }

  // Adds to a clash of two writers the instructions that Checked names. Cores that add to what
  // nobody has filled have another mistake.
  void add_instructions(Error& clash) {
    auto seen = small_ ? ask_checked() : std::nullopt;
    if (!seen) return;
    if (seen->code == core::kUnfilledSum) {
      clash = std::move(*seen);
    } else if (seen->code == core::kRaceOfCores) {
      for (std::string& place : seen->trail) clash.trail.push_back(std::move(place));
    }
  }

  bool check_repeat() {
    const auto differs =
        repeat_with_threads(executor_, invocation(problem_.threads), first_, problem_.seed);
    return differs ? blame(differs->message, differs->code) : true;
  }

  // A result that is wrong in some way has a cause, which the Checked mode names when it sees one.
  // It was asked before, unless the tensors are many elements.
  bool blame(std::string reason, std::string code) {
    if (!small_ && !is_aicpu(contract_)) {
      if (auto seen = ask_checked()) return refuse(std::move(*seen));
    }
    return fail(Verdict::kFailed, std::move(reason), std::move(code));
  }

  // A function in place of a kernel has no schedule, and neither has a CpuKernel.
  bool check_schedules() {
    if (!executor_.covers() || !small_ || is_aicpu(contract_)) return true;
    const auto differs = repeat_with_schedules(
        executor_, invocation(1), first_, place_of_schedules(result_.line), options_.schedules);
    return differs ? fail(Verdict::kFailed, differs->message, differs->code) : true;
  }

  // Runs the call once more with every check of the engine: queues, races, uninitialised and
  // foreign memory.
  bool check_checked() {
    if (!small_ || is_aicpu(contract_)) return true;
    auto seen = ask_checked();
    return seen ? refuse(std::move(*seen)) : true;
  }

  // Returns what it refuses.
  std::optional<Error> ask_checked() {
    auto checked = execute(1, true);
    if (!checked.ok()) return std::move(checked).error();
    checked_ = std::move(checked).value();
    return std::nullopt;
  }

  bool check_same_bits() {
    if (!checked_) return true;
    const std::string output = differing_output(contract_, first_, *checked_);
    if (output.empty()) return true;
    if (const auto differs = repeat_alike(executor_, invocation(problem_.threads), first_))
      return fail(Verdict::kFailed, differs->message, differs->code);
    return fail(
        Verdict::kFailed,
        fmt::format("output {} of the Checked mode has other bits than the Fast mode", output),
        "OPK-VERIFY-021");
  }

  bool check_values() {
    const oracle::OracleCall call{&contract_, &inputs_, problem_.attrs, problem_.symbols,
                                  problem_.column};
    for (size_t p = 0; p < first_.outputs.size(); ++p) {
      for (size_t i = 0; i < first_.outputs[p].size(); ++i)
        first_.outputs[p][i].desc().name = tensor_name(contract_.outputs[p], i);
    }
    auto compared = oracle::compare_call(call, first_.outputs);
    if (!compared.ok() && compared.error().code == oracle::kComputesAnother)
      return fail(Verdict::kFailed, compared.error().message, compared.error().code);
    if (!compared.ok()) return no_oracle(compared.error());
    result_.outputs = std::move(compared).value();
    fail_by_values(result_);
    if (result_.verdict == Verdict::kPassed) return true;
    return blame(std::move(result_.reason), std::move(result_.code));
  }

  bool no_oracle(const Error& error) {
    end_without_oracle(error, result_);
    return false;
  }

  // Checks what the reference implies for the same elements in other places.
  bool check_laws() {
    const bool telling = problem_.data == DataClass::kUniform ||
                         problem_.data == DataClass::kNormal ||
                         problem_.data == DataClass::kSpecial;
    if (!telling || !small_) return true;
    const auto broken = break_law(executor_, invocation(problem_.threads), first_);
    return broken ? fail(Verdict::kFailed, broken->message, broken->code) : true;
  }

  bool check_trust() {
    if (is_telling(problem_.data)) mistrust(contract_, result_);
    return result_.verdict == Verdict::kPassed;
  }

  const OpContract& contract_;
  Executor& executor_;
  const Problem& problem_;
  const JudgeOptions options_;
  Ports inputs_;
  SharedPlan plan_;
  Execution first_;
  std::optional<Execution> checked_;
  ProblemResult result_;
  bool small_ = true;
};

}  // namespace

ProblemResult judge(const OpContract& contract, Executor& executor, const Problem& problem,
                    const JudgeOptions& options) {
  const auto elements = stored_elements(contract, problem);
  if (elements && *elements > kMostAtOnce && not_on_chip(contract, problem).empty())
    return judge_large(contract, executor, problem, options.large);
  return Trial(contract, executor, problem, options).run();
}

ProblemResult judge_with(const OpContract& contract, Executor& executor, const Problem& problem,
                         Ports inputs) {
  return Trial(contract, executor, problem, {}, std::move(inputs)).run();
}

}  // namespace opkit::verify
