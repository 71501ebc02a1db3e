#include "opkit/cli/models/comparison.h"

#include "opkit/call/execute/execution.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/said/tensor_source.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

using compare::BeforeAfter;

// Returns the call that --shape and its like describe, else a case of the contract's bench.
Result<measure::SaidCall> compared_call(const ChosenOp& chosen, const Arguments& arguments,
                                        std::string& name) {
  const OpContract& contract = chosen.contract();
  OPKIT_TRY(measure::SaidCall said, read_call_options(contract, arguments));
  name = "as asked for";
  if (says_inputs(arguments)) return said;
  OPKIT_TRY(const Case* one, measure::bench_case(contract, arguments.integer("--case")));
  name = measure::text_of_case(contract, *one);
  const bool typed = !said.dtypes.empty() || said.any_dtype.has_value();
  size_t column = 0;
  if (typed) {
    OPKIT_TRY(column, pick_column(contract, said));
  }
  OPKIT_TRY(measure::SaidCall options, measure::options_of_case(contract, *one, column));
  for (const auto& [attr, value] : said.attrs) options.attrs[attr] = value;
  return options;
}

// Compares calls of one op.
class OpComparer {
 public:
  OpComparer(const ChosenOp& chosen, const InstalledOps& ops, const Arguments& arguments,
             ProgressLine& progress)
      : chosen_(chosen), ops_(ops), arguments_(arguments), progress_(progress) {}

  Result<Compared> run() {
    Compared compared{chosen_.contract().op, chosen_.soc, {}, {}, {}};
    OPKIT_TRY(const measure::SaidCall said, compared_call(chosen_, arguments_, compared.name));
    compare::CompareOptions options;
    options.warm = static_cast<size_t>(arguments_.integer("--warm"));
    options.samples = static_cast<size_t>(arguments_.integer("--samples"));
    options.seconds = static_cast<double>(arguments_.integer("--seconds"));
    options.step = [this](const std::string& what) { progress_.step(what); };
    options.sampled = [this](size_t done, size_t total) { progress_.advance(done, total); };
    OPKIT_TRY(compared.all, call(said, options));
    if (compared.all.judged)
      compared.judged_at = compared.name;
    else
      OPKIT_CHECK(judge_smaller(said, compared));
    return compared;
  }

 private:
  Result<BeforeAfter> call(const measure::SaidCall& said, compare::CompareOptions options) {
    const auto threads = static_cast<unsigned>(arguments_.integer("--threads"));
    OPKIT_TRY(Invocation call,
              invocation_of(chosen_, said, measure::uniform(seed_of(arguments_)), threads));
    fill_inputs(call);
    options.cost_cache = registry::default_cache_dir() / "costs";
    return compare::compare(call, chosen_.executor(), ops_, options);
  }

  Status judge_smaller(const measure::SaidCall& larger, Compared& compared) {
    const OpContract& contract = chosen_.contract();
    OPKIT_TRY(const size_t column, pick_column(contract, larger));
    compare::CompareOptions once;
    once.warm = 0;
    once.samples = 1;
    for (auto one = contract.tests.rbegin(); one != contract.tests.rend(); ++one) {
      const auto said = measure::options_of_case(contract, *one, column);
      if (!said.ok()) continue;
      const auto smaller = call(*said, once);
      if (!smaller.ok() || !smaller->judged) continue;
      compared.judged_at = measure::text_of_case(contract, *one);
      compared.all.fused.accuracy = smaller->fused.accuracy;
      compared.all.separate.accuracy = smaller->separate.accuracy;
      break;
    }
    return {};
  }

  const ChosenOp& chosen_;
  const InstalledOps& ops_;
  const Arguments& arguments_;
  ProgressLine& progress_;
};

Result<Compared> compare_with(const std::string& word, const InstalledOps& ops,
                              const Arguments& arguments, Console& console) {
  OPKIT_TRY(const ChosenOp chosen,
            choose_op_and_soc(word, arguments, open_options(arguments, console), console));
  ProgressLine progress(console, "compare " + chosen.contract().op);
  return OpComparer(chosen, ops, arguments, progress).run();
}

Result<InstalledOps> ops_of_chip(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::string soc, checked_soc(arguments.get("--soc"), console));
  return open_ops(open_registry(arguments, console), soc, arguments, console);
}

}  // namespace

Result<Compared> compare_op(const std::string& word, const Arguments& arguments, Console& console) {
  OPKIT_TRY(const InstalledOps ops, ops_of_chip(arguments, console));
  return compare_with(word, ops, arguments, console);
}

Result<ComparedOps> compare_all(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const InstalledOps ops, ops_of_chip(arguments, console));
  ComparedOps all;
  OPKIT_TRY(all.soc, checked_soc(arguments.get("--soc"), console));
  std::vector<std::string> fused;
  for (const auto& op : ops.all()) {
    const OpContract& contract = op->contract();
    if (contract.reference.size() > 1 && !contract.bench.empty()) fused.push_back(contract.op);
  }
  ProgressLine progress(console, "compare");
  for (size_t i = 0; i < fused.size(); ++i) {
    progress.advance(i, fused.size(), fused[i]);
    auto compared = compare_with(fused[i], ops, arguments, console);
    if (compared.ok())
      all.ops.push_back(std::move(*compared));
    else
      all.failed.push_back({fused[i], compared.error()});
  }
  return all;
}

}  // namespace opkit::cli
