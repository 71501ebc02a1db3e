#include "opkit/verify/error_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/infer/infer.h"
#include "opkit/contract/rank_rule.h"
#include "opkit/contract/scope.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/legal_attrs.h"

namespace opkit::verify {
namespace {

constexpr int64_t kBudget = int64_t{1} << 22;
constexpr int kStarts = 4;  // legal calls from which constraints are broken
constexpr const char* kConstraintCode = "OPK-INFER-010";
constexpr const char* kColumnCode = "OPK-INFER-003";

// Tells whether a call has no tensor: such a call has no dtype, hence no column.
bool gives_no_tensor(const Ports& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const auto& port) { return port.empty(); });
}

class ErrorInputs {
 public:
  ErrorInputs(const OpContract& contract, Executor& executor, std::string soc, uint64_t seed,
              size_t column)
      : contract_(contract),
        executor_(executor),
        soc_(std::move(soc)),
        column_(column),
        draws_(seed, 23),
        domain_(contract_, kBudget) {
    defaults_ = usual_attrs(Domain(contract_, 4096), draws_);
  }

  std::vector<ProblemResult> run() {
    const std::vector<SymbolValues> legal = starts();
    for (const Constraint& constraint : contract_.where) break_constraint(constraint, legal);
    if (!legal.empty()) break_columns(legal.front());
    return std::move(results_);
  }

 private:
  ProblemResult start(const std::string& origin) {
    ProblemResult result;
    result.origin = origin;
    result.problem.soc = soc_;
    result.problem.column = column_;
    result.problem.attrs = defaults_;
    result.line = contract_.op + " (" + origin + ")";
    result.labels = {origin};
    return result;
  }

  void end(ProblemResult result, Verdict verdict, std::string reason, std::string code = {}) {
    result.verdict = verdict;
    result.reason = std::move(reason);
    result.code = std::move(code);
    results_.push_back(std::move(result));
  }

  // Small ones, unless none of them is legal.
  std::vector<SymbolValues> starts() {
    std::vector<SymbolValues> found;
    for (int64_t budget = 4096; found.empty() && budget <= kBudget; budget *= 32) {
      const Domain domain(contract_, budget);
      for (int i = 0; i < kStarts; ++i) {
        if (auto legal = domain.solve({}, {}, defaults_, draws_))
          found.push_back(*std::move(legal));
      }
    }
    return found;
  }

  // Values of one symbol or attribute after the other are changed until this constraint, and no
  // other one before it, is broken.
  void break_constraint(const Constraint& constraint, const std::vector<SymbolValues>& legal) {
    ProblemResult result = start("error " + constraint.label);
    if (tells_lists_apart(contract_, constraint))
      return end(std::move(result), Verdict::kSkipped,
                 constraint.label + " says which dims are whose: every tensor has such");
    if (legal.empty())
      return end(std::move(result), Verdict::kSkipped, "no legal call was found to start from");
    for (const SymbolValues& start : legal) {
      for (const Problem& candidate : violations(start)) {
        const Scope scope = scope_of(contract_, candidate.symbols, candidate.attrs);
        const Status status = check_constraints(contract_, scope);
        if (status.ok() || status.error().constraint != constraint.label) continue;
        if (!small_enough(candidate)) continue;
        result.problem = candidate;
        result.line = to_line(contract_, candidate);
        return refuse(std::move(result), constraint.label);
      }
    }
    end(std::move(result), Verdict::kSkipped,
        fmt::format("no call of at most {} elements breaks {} first: {}", kBudget, constraint.label,
                    constraint.text));
  }

  bool small_enough(const Problem& candidate) const {
    const auto elements = domain_.elements(candidate.symbols, candidate.attrs);
    return elements && *elements <= kBudget;
  }

  // Odd sizes; where the symbol has steps, those that are wrong for another reason than the step;
  // the neighbours of a legal size, and what lies behind the largest.
  std::vector<int64_t> wrong_sizes(size_t symbol, const SymbolValues& legal) const {
    std::vector<int64_t> sizes{0, 1, 2, 3, 5, 7, 15, 17, 33, 63, 129, 1000, 4097, 65537, 1048577};
    const auto dim = legal.dims.find(contract_.symbols[symbol].name);
    if (dim == legal.dims.end()) return sizes;
    const ProblemRules::Steps& steps = domain_.steps(symbol);
    for (const int64_t size : std::vector<int64_t>(sizes)) sizes.push_back(steps.at_least(size));
    for (const int64_t near : {-steps.step, int64_t{-1}, int64_t{1}, steps.step})
      sizes.push_back(dim->second + near);
    for (int64_t size = 2 * dim->second; size > 0 && size < kBudget; size *= 2)
      sizes.push_back(size);
    const int64_t largest = domain_.largest(symbol);
    if (largest < kBudget) sizes.insert(sizes.end(), {largest + 1, largest + steps.step});
    std::erase_if(sizes, [](int64_t size) { return size < 0; });
    return sizes;
  }

  Problem legal_problem(const SymbolValues& legal) const {
    Problem problem;
    problem.soc = soc_;
    problem.column = column_;
    problem.symbols = legal;
    problem.attrs = defaults_;
    return problem;
  }

  std::vector<Problem> violations(const SymbolValues& legal) const {
    std::vector<Problem> all;
    const Problem base = legal_problem(legal);
    for (size_t s = 0; s < contract_.symbols.size(); ++s) {
      const Symbol& symbol = contract_.symbols[s];
      for (const int64_t value : wrong_sizes(s, legal)) {
        Problem changed = base;
        if (symbol.kind == Symbol::Kind::kDim) {
          changed.symbols.dims[symbol.name] = value;
        } else {
          std::vector<int64_t>& list = changed.symbols.lists[symbol.name];
          if (list.empty()) list.push_back(value);
          list.back() = value;
        }
        all.push_back(std::move(changed));
      }
      if (symbol.kind == Symbol::Kind::kDim) continue;
      for (size_t rank = 0; rank <= 20; ++rank) {
        Problem changed = base;
        changed.symbols.lists[symbol.name].assign(rank, 1);
        all.push_back(std::move(changed));
      }
    }
    for (const Attr& attr : contract_.attrs) {
      for (const AttrChoice& choice : attr_choices(attr)) {
        Problem changed = base;
        changed.attrs[attr.name] = choice.value;
        all.push_back(std::move(changed));
      }
    }
    for (const Port& port : contract_.inputs) {
      if (port.presence != Presence::kOptional) continue;
      Problem changed = base;
      if (changed.symbols.absent.erase(port.name) == 0) changed.symbols.absent.insert(port.name);
      all.push_back(std::move(changed));
    }
    return all;
  }

  void refuse(ProblemResult result, const std::string& label) {
    auto inputs = make_inputs(contract_, result.problem);
    if (!inputs.ok())
      return end(std::move(result), Verdict::kSkipped, inputs.error().message, inputs.error().code);
    Invocation invocation;
    invocation.contract = &contract_;
    invocation.soc = soc_;
    invocation.inputs = std::move(inputs).value();
    invocation.attrs = result.problem.attrs;
    const bool no_column = gives_no_tensor(invocation.inputs);
    const auto run = executor_.run(std::move(invocation));
    if (run.ok())
      return end(std::move(result), Verdict::kFailed,
                 fmt::format("a call that breaks {} was accepted", label), "OPK-VERIFY-030");
    const Error& error = run.error();
    const bool as_told = error.code == kConstraintCode && error.constraint == label;
    if (as_told || (no_column && error.code == kColumnCode))
      return end(std::move(result), Verdict::kRefused, error.message, error.code);
    end(std::move(result), Verdict::kFailed,
        fmt::format("breaking {} must be refused with {} by {}, but the call was refused with {} "
                    "by {}: {}",
                    label, kConstraintCode, label, error.code,
                    error.constraint.empty() ? "no constraint" : error.constraint, error.message),
        error.code);
  }

  // Every input in turn takes every dtype and every format that no column with the other inputs'
  // dtypes and formats has.
  void break_columns(const SymbolValues& legal) {
    const Problem problem = legal_problem(legal);
    const auto inputs = make_inputs(contract_, problem);
    if (!inputs.ok()) return;
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      if ((*inputs)[p].empty()) continue;
      for (const DType dtype : all_dtypes()) break_dtype(*inputs, p, dtype);
      for (const Format format : all_formats()) break_format(*inputs, p, format);
    }
  }

  bool in_table(const Ports& inputs) const {
    std::vector<DType> dtypes;
    std::vector<Format> formats;
    for (size_t p = 0; p < inputs.size(); ++p) {
      dtypes.push_back(inputs[p].empty() ? DType::kUndefined : inputs[p][0].dtype());
      formats.push_back(inputs[p].empty() ? contract_.inputs[p].formats[0]
                                          : inputs[p][0].desc().format);
    }
    return contract_.column_for(dtypes, formats).ok();
  }

  void break_dtype(Ports inputs, size_t port, DType dtype) {
    if (dtype == DType::kUndefined) return;
    for (Tensor& tensor : inputs[port]) {
      const Format format = tensor.desc().format;
      tensor = Tensor(dtype, tensor.shape(), contract_.inputs[port].name);
      tensor.desc().format = format;
    }
    expect_refusal(std::move(inputs), port, "dtype", name_of(dtype));
  }

  void break_format(Ports inputs, size_t port, Format format) {
    for (Tensor& tensor : inputs[port]) tensor.desc().format = format;
    expect_refusal(std::move(inputs), port, "format", name_of(format));
  }

  void expect_refusal(Ports inputs, size_t port, std::string_view what, std::string_view value) {
    if (in_table(inputs)) return;
    ProblemResult result =
        start(fmt::format("error {} {} {}", what, contract_.inputs[port].name, value));
    Invocation invocation;
    invocation.contract = &contract_;
    invocation.soc = soc_;
    invocation.inputs = std::move(inputs);
    invocation.attrs = defaults_;
    const auto run = executor_.run(std::move(invocation));
    if (run.ok())
      return end(std::move(result), Verdict::kFailed,
                 fmt::format("{} of {} {} was accepted, which no column allows",
                             contract_.inputs[port].name, what == "dtype" ? "type" : what, value),
                 "OPK-VERIFY-031");
    const bool by_the_contract = run.error().is(Cause::kContract);
    end(std::move(result), by_the_contract ? Verdict::kRefused : Verdict::kFailed,
        run.error().message, run.error().code);
  }

  const OpContract& contract_;
  Executor& executor_;
  std::string soc_;
  const size_t column_;
  Draws draws_;
  Domain domain_;
  AttrValues defaults_;
  std::vector<ProblemResult> results_;
};

}  // namespace

std::vector<ProblemResult> judge_error_inputs(const OpContract& contract, Executor& executor,
                                              const std::string& soc, uint64_t seed,
                                              size_t column) {
  return ErrorInputs(contract, executor, soc, seed, column).run();
}

}  // namespace opkit::verify
