#include "opkit/verify/spellings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 14;  // limits one problem
constexpr int kMostOfAClass = 3;                     // problems of a spelling, in each column

bool is_told_by(DataClass data) {
  return data == DataClass::kUniform || data == DataClass::kNormal || data == DataClass::kSpecial ||
         data == DataClass::kExactInteger;
}

// What the interpreter itself rounds, beyond what the intervals count.
constexpr double kInterpreter = 0x1p-44;

oracle::Interval widened(const oracle::Interval& c) {
  const double largest = std::max(std::abs(c.lo), std::abs(c.hi));
  return std::isfinite(largest) ? widen(c, largest * kInterpreter) : c;
}

bool meet(const oracle::Interval& a, const oracle::Interval& b) {
  if (a.is_nan() || b.is_nan()) return (a.is_nan() || a.may_be_nan) && (b.is_nan() || b.may_be_nan);
  if (a.may_be_nan && b.may_be_nan) return true;
  const oracle::Interval wide = widened(a), other = widened(b);
  return wide.lo <= other.hi && other.lo <= wide.hi;
}

// An interval that says nearly nothing agrees with everything.
bool is_narrow(const oracle::Interval& c) {
  if (c.is_nan() || c.lo == c.hi) return true;
  const double largest = std::max(std::abs(c.lo), std::abs(c.hi));
  return !c.may_be_nan && std::isfinite(largest) && c.hi - c.lo <= 1e-6 * std::max(largest, 1e-300);
}

class SpellingTrial {
 public:
  SpellingTrial(const OpContract& contract, const Spelling& spelling)
      : contract_(contract), spelling_(spelling), domain_(contract, kMostElements) {
    result_.origin = "spelling " + spelling.name;
    result_.line = fmt::format("{} ({})", contract.op, result_.origin);
  }

  ProblemResult run(const std::vector<PlannedProblem>& plan) {
    for (const PlannedProblem& planned : plan) {
      if (!is_done_) take(planned.problem);
    }
    if (!is_done_ && narrow_ * 2 < elements_ + (elements_ == 0)) {
      fail(
          fmt::format("the data do not tell whether the spelling means the reference: {} of {} "
                      "elements are known closely",
                      narrow_, elements_));
    }
    result_.elements = elements_;
    return std::move(result_);
  }

 private:
  void fail(std::string reason) {
    is_done_ = true;
    result_.verdict = Verdict::kFailed;
    result_.code = "OPK-VERIFY-028";
    result_.reason = std::move(reason);
  }

  void take(Problem problem) {
    for (const auto& [name, value] : spelling_.attrs) problem.attrs[name] = value;
    const bool fits = is_told_by(problem.data) && domain_.accepts(problem.symbols, problem.attrs);
    if (!fits || taken_[{problem.column, problem.data}] >= kMostOfAClass) return;
    auto inputs = make_inputs(contract_, problem);
    if (!inputs.ok()) return;  // a class that the inputs' ranges exclude
    oracle::OracleCall call{&contract_, &*inputs, problem.attrs, problem.symbols, problem.column};
    call.working = DType::kFloat64;
    const auto reference = oracle::evaluate_bounded(call);
    if (!reference.ok()) return end(reference.error());
    call.spelling = &spelling_;
    const auto spelled = oracle::evaluate_bounded(call);
    if (!spelled.ok()) return end(spelled.error());
    ++taken_[{problem.column, problem.data}];
    result_.problem = problem;
    compare(*reference, *spelled, problem);
  }

  // Data for which an operator is undefined say nothing.
  void end(const Error& error) {
    if (error.is(Cause::kUndefinedValues)) return;
    is_done_ = true;
    result_.verdict = Verdict::kUnimplemented;
    result_.code = error.code;
    result_.reason = fmt::format("{} ({})", error.message, error.where.to_string());
  }

  void compare(const std::vector<std::vector<oracle::Bounded>>& reference,
               const std::vector<std::vector<oracle::Bounded>>& spelled, const Problem& problem) {
    for (size_t p = 0; p < reference.size() && !is_done_; ++p) {
      if (reference[p].size() != spelled[p].size())
        return fail(fmt::format("the spelling has {} tensors of {}, the reference {}",
                                spelled[p].size(), contract_.outputs[p].name, reference[p].size()));
      for (size_t i = 0; i < reference[p].size() && !is_done_; ++i)
        compare(reference[p][i], spelled[p][i], contract_.outputs[p].name, problem);
    }
  }

  void compare(const oracle::Bounded& a, const oracle::Bounded& b, const std::string& output,
               const Problem& problem) {
    if (a.value.shape != b.value.shape || a.value.dtype != b.value.dtype)
      return fail(fmt::format("{} is {} {} in the spelling, {} {} in the reference", output,
                              name_of(b.value.dtype), b.value.shape.to_string(),
                              name_of(a.value.dtype), a.value.shape.to_string()));
    for (int64_t i = 0; i < a.value.elements(); ++i) {
      const oracle::Interval x = a.at(i), y = b.at(i);
      ++elements_;
      narrow_ += is_narrow(x) && is_narrow(y) ? 1 : 0;
      if (meet(x, y)) continue;
      return fail(
          fmt::format("element {} of {} is {:.17g} by the spelling, {:.17g} by the "
                      "reference, for {}",
                      i, output, b.value[i], a.value[i], to_line(contract_, problem)));
    }
  }

  const OpContract& contract_;
  const Spelling& spelling_;
  Domain domain_;
  ProblemResult result_;
  std::map<std::pair<size_t, DataClass>, int> taken_;  // problems
  int64_t elements_ = 0, narrow_ = 0;
  bool is_done_ = false;
};

}  // namespace

std::vector<ProblemResult> judge_spellings(const OpContract& contract,
                                           const std::vector<PlannedProblem>& plan) {
  std::vector<ProblemResult> results;
  for (const Spelling& spelling : contract.spellings)
    results.push_back(SpellingTrial(contract, spelling).run(plan));
  return results;
}

}  // namespace opkit::verify
