#include "opkit/verify/large_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "opkit/oracle/compare_call.h"
#include "opkit/oracle/oracle_in_parts.h"
#include "opkit/verify/judgement.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/promises.h"
#include "opkit/verify/proof/proved_result.h"
#include "opkit/verify/repeat.h"

namespace opkit::verify {
namespace {

using Digests = std::vector<std::vector<std::string>>;  // hold one for each tensor

// Limits parts by threads: a chip's host has two to many, and one part's intervals are some
// megabytes for each node.
int64_t parts_at_once() {
  return std::max<int64_t>(1, static_cast<int64_t>(std::thread::hardware_concurrency()));
}

Digests digests_of(const Ports& ports) {
  Digests all(ports.size());
  for (size_t p = 0; p < ports.size(); ++p) {
    for (const Tensor& tensor : ports[p]) all[p].push_back(digest_of(tensor));
  }
  return all;
}

// What one part gave: its comparisons, per port and tensor.
struct ComparedPart {
  std::optional<Error> error;
  std::vector<std::vector<oracle::OutputComparer>> outputs;
};

class LargeTrial {
 public:
  LargeTrial(const OpContract& contract, Executor& executor, const Problem& problem,
             const LargeWork& work)
      : contract_(contract), executor_(executor), problem_(problem), work_(work) {
    result_.problem = problem;
    result_.line = to_line(contract, problem);
  }

  ProblemResult run() {
    for (const auto step :
         {&LargeTrial::check_tiling, &LargeTrial::make_oracle, &LargeTrial::run_twice,
          &LargeTrial::check_promises, &LargeTrial::check_inputs, &LargeTrial::check_values}) {
      if (cancelled() ? end(Verdict::kSkipped, "the run was ended", "") : (this->*step)()) continue;
      break;
    }
    return std::move(result_);
  }

 private:
  bool end(Verdict verdict, std::string reason, std::string code) {
    result_.verdict = verdict;
    result_.reason = std::move(reason);
    result_.code = std::move(code);
    return false;
  }

  bool skip(const Error& error) {
    const auto elements = stored_elements(contract_, problem_);
    std::string place = error.where.line > 0 ? fmt::format(" ({})", error.where.to_string()) : "";
    return end(Verdict::kSkipped,
               fmt::format("{} elements are too many to run on data: {}{}{}", elements.value_or(0),
                           error.message, place, tiling_is_right_ ? "; the tiling is right" : ""),
               error.code);
  }

  bool cancelled() const { return work_.cancelled && work_.cancelled(); }
  void begin(const std::string& stage) const {
    if (work_.begin) work_.begin(stage);
  }

  // Checks the tiling without data: what depends on them shows in the values.
  bool check_tiling() {
    if (!executor_.covers()) return true;
    ProblemResult tiling = judge_tiling(contract_, executor_, problem_);
    tiling_is_right_ = tiling.verdict == Verdict::kPassed;
    if (tiling.verdict == Verdict::kPassed || tiling.verdict == Verdict::kSkipped) return true;
    result_ = std::move(tiling);
    return false;
  }

  bool make_oracle() {
    auto blanks = make_blanks(contract_, problem_);
    if (!blanks.ok() && blanks.error().is(Cause::kFewValues))
      return end(Verdict::kSkipped, blanks.error().message, blanks.error().code);
    if (!blanks.ok()) return skip(blanks.error());
    blanks_ = std::move(blanks).value();
    auto oracle = oracle::OracleInParts::of(
        {&contract_, &blanks_.inputs, problem_.attrs, problem_.symbols, problem_.column},
        work_.part);
    if (!oracle.ok() && oracle.error().code == oracle::kNeedsWhole) return skip(oracle.error());
    if (!oracle.ok()) return end_without_oracle(oracle.error(), result_), false;
    oracle_ = std::move(oracle).value();
    return true;
  }

  // Inputs are filled anew for each run. `digests`: of what they were filled with.
  Invocation invocation(unsigned threads, Digests* digests) const {
    Invocation call;
    call.contract = &contract_;
    call.soc = problem_.soc;
    call.inputs = blanks_.inputs;
    call.attrs = problem_.attrs;
    call.threads = threads;
    call.fill = [this, digests](size_t port, size_t tensor, Tensor& blank) {
      begin("making " + blank.desc().to_string());
      blanks_.fill(port, tensor, blank);
      if (digests != nullptr) (*digests)[port][tensor] = digest_of(blank);
    };
    return call;
  }

  // Returns digests of the outputs; the tensors are gone when this returns.
  Result<Digests> outputs_with(unsigned threads) {
    OPKIT_TRY(const Execution other, executor_.run(invocation(threads, nullptr)));
    return digests_of(other.outputs);
  }

  bool run_twice() {
    begin("running, 1 of 2");
    const auto first = outputs_with(other_threads(problem_.threads, problem_.seed));
    if (!first.ok()) return refuse(first.error());
    begin("running, 2 of 2");
    filled_ = digests_of(host_reads());
    auto ran = executor_.run(invocation(problem_.threads, &filled_));
    if (!ran.ok()) return refuse(ran.error());
    ran_ = std::move(ran).value();
    note_run(contract_, problem_, ran_.inputs, ran_, result_);
    result_.input_digest = digest_of(ran_.inputs);
    result_.output_digest = digest_of(ran_.outputs);
    return digests_of(ran_.outputs) == *first || explain_difference();
  }

  // Inputs that have their values already; nothing in place of the others.
  Ports host_reads() const {
    Ports known(blanks_.inputs.size());
    for (size_t p = 0; p < known.size(); ++p) {
      for (const Tensor& tensor : blanks_.inputs[p])
        known[p].push_back(tensor.is_reserved() ? Tensor() : tensor);
    }
    return known;
  }

  bool refuse(const Error& error) {
    const bool too_large = error.is(Cause::kTooLarge);
    if (too_large || error.is(Cause::kHostLacks)) return skip(error);
    end_refused(error, result_);
    return false;
  }

  // Runs it once more, with both runs' outputs side by side.
  bool explain_difference() {
    const auto differs =
        repeat_with_threads(executor_, invocation(problem_.threads, nullptr), ran_, problem_.seed);
    if (differs) return end(Verdict::kFailed, differs->message, differs->code);
    return end(Verdict::kFailed, "two runs of the same call gave other bits, a third one did not",
               "OPK-VERIFY-021");
  }

  bool check_promises() {
    const auto broken = broken_promise(contract_, problem_, ran_);
    return broken ? end(Verdict::kFailed, broken->message, broken->code) : true;
  }

  bool check_inputs() {
    const Digests now = digests_of(ran_.inputs);
    for (size_t p = 0; p < now.size(); ++p) {
      if (contract_.inputs[p].written || now[p] == filled_[p]) continue;
      return end(Verdict::kFailed,
                 fmt::format("the kernel changed its input {}", contract_.inputs[p].name),
                 "OPK-VERIFY-020");
    }
    return true;
  }

  bool check_values() {
    if (!start_comparing()) return false;
    const int64_t parts = oracle_->parts(), at_once = parts_at_once();
    for (int64_t done = 0; done < parts;) {
      if (cancelled()) return end(Verdict::kSkipped, "the run was ended", "");
      // The first element says what a kernel of constants would write.
      const int64_t count = done == 0 ? 1 : std::min(at_once, parts - done);
      if (!take_parts(done, count)) return false;
      done += count;
      if (work_.compared) work_.compared(done, parts);
    }
    return conclude_values();
  }

  bool start_comparing() {
    begin("comparing");
    if (const Status same = oracle::check_computed(*oracle_, contract_, ran_.outputs); !same.ok())
      return end(Verdict::kFailed, same.error().message, same.error().code);
    for (size_t p = 0; p < ran_.outputs.size(); ++p) {
      comparers_.emplace_back();
      for (size_t t = 0; t < ran_.outputs[p].size(); ++t) {
        Tensor& got = ran_.outputs[p][t];
        got.desc().name = tensor_name(contract_.outputs[p], t);
        comparers_[p].emplace_back(contract_, problem_.column, got, ran_.inputs);
      }
    }
    return true;
  }

  bool take_parts(int64_t from, int64_t count) {
    std::vector<ComparedPart> parts(static_cast<size_t>(count));
    {
      std::vector<std::jthread> workers;
      for (int64_t k = 1; k < count; ++k)
        workers.emplace_back([&, k] { parts[static_cast<size_t>(k)] = compared(from + k); });
      parts[0] = compared(from);
    }
    for (const ComparedPart& part : parts) {
      if (part.error) return end_without_oracle(*part.error, result_), false;
      merge(part);
    }
    return true;
  }

  ComparedPart compared(int64_t part) const {
    ComparedPart compared;
    auto expected = oracle_->evaluate(ran_.inputs, part);
    if (!expected.ok()) {
      compared.error = std::move(expected).error();
      return compared;
    }
    for (size_t p = 0; p < comparers_.size(); ++p) {
      compared.outputs.emplace_back();
      for (size_t t = 0; t < comparers_[p].size(); ++t) {
        compared.outputs[p].push_back(comparers_[p][t].for_part());
        compared.outputs[p][t].take((*expected)[p][t], oracle_->section(p, t, part));
      }
    }
    return compared;
  }

  void merge(const ComparedPart& part) {
    for (size_t p = 0; p < comparers_.size(); ++p) {
      for (size_t t = 0; t < comparers_[p].size(); ++t) comparers_[p][t].merge(part.outputs[p][t]);
    }
  }

  bool conclude_values() {
    for (size_t p = 0; p < comparers_.size(); ++p) {
      for (oracle::OutputComparer& comparer : comparers_[p]) {
        result_.outputs.push_back(comparer.finish());
        result_.outputs.back().port = p;
      }
    }
    fail_by_values(result_);
    if (result_.verdict == Verdict::kPassed && is_telling(problem_.data))
      mistrust(contract_, result_);
    return result_.verdict == Verdict::kPassed;
  }

  const OpContract& contract_;
  Executor& executor_;
  const Problem& problem_;
  const LargeWork& work_;
  BlankInputs blanks_;
  std::optional<oracle::OracleInParts> oracle_;
  bool tiling_is_right_ = false;
  Digests filled_;
  Execution ran_;
  std::vector<std::vector<oracle::OutputComparer>> comparers_;
  ProblemResult result_;
};

}  // namespace

ProblemResult judge_large(const OpContract& contract, Executor& executor, const Problem& problem,
                          const LargeWork& work) {
  return LargeTrial(contract, executor, problem, work).run();
}

}  // namespace opkit::verify
