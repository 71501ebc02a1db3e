#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "opkit/base/digest.h"
#include "opkit/call/trace/rates.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/tuning/feasible_subject.h"
#include "opkit/cli/tuning/prover.h"
#include "opkit/cli/tuning/tune_job.h"
#include "opkit/fusion/feasible/least_work.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/tuning/dry_meter.h"

namespace opkit::cli {
namespace {

using tuning::TuningRow;

// Facts of a call, and the tensors that they borrow.
struct Facts {
  CallFacts facts;
  std::deque<PortTensors> values;
};

Result<std::unique_ptr<Facts>> facts_of_call(const OpContract& contract,
                                             const measure::SaidCall& call) {
  auto all = std::make_unique<Facts>();
  OPKIT_TRY(const std::vector<PortFacts> ports, facts_of(contract, call));
  all->facts.attrs = call.attrs;
  all->facts.output_shapes = said_outputs(contract, call);
  for (size_t p = 0; p < ports.size(); ++p) {
    PortTensors& values = all->values.emplace_back();
    if (contract.inputs[p].value_depend) {
      OPKIT_TRY(values, values_of(contract.inputs[p], ports[p], call));
    }
    std::vector<InputFacts>& port = all->facts.inputs.emplace_back();
    for (size_t t = 0; t < ports[p].size(); ++t) {
      OPKIT_CHECK(measure::check_known(ports[p][t]));
      port.push_back({ports[p][t].desc, {}});
      if (t < values.size()) port.back().value = values[t].bytes();
    }
  }
  return all;
}

// Returns what every kernel of the call does, by its reference; nothing where that is unknown.
tuning::CallBound bound_of_call(const OpContract& contract, const measure::SaidCall& call,
                                const core::TimingRates& rates) {
  const auto asked = asked_op_of(contract, call);
  if (!asked.ok()) return {};
  const feasible::LeastWork least = feasible::least_work_of(*asked);
  return {least.read, least.written, least.products, feasible::fastest_cube(*asked, rates)};
}

tuning::SearchOptions search_options(const Arguments& arguments, const tuning::Score& score,
                                     ProgressLine& progress) {
  tuning::SearchOptions options;
  options.most = static_cast<uint64_t>(arguments.integer("--most"));
  options.exhausted = static_cast<uint64_t>(arguments.integer("--exhaust"));
  options.bounds_count = score.is_latency();
  options.everything = arguments.has("--everything");
  options.progress = [&progress](size_t done, size_t all, const TuningRow* best) {
    progress.advance(done, all,
                     best == nullptr ? std::string()
                                     : fmt::format("best {:.3f} us, bound {:.3f} us: {}",
                                                   static_cast<double>(best->ns) / 1e3,
                                                   static_cast<double>(best->bound_ns) / 1e3,
                                                   tuning::told(*best)));
  };
  return options;
}

// One executor for each worker; the first one is the chosen op's.
struct Workers {
  std::vector<ChosenOp> more;
  std::vector<Executor*> executors;
};

Result<Workers> open_workers(const TuneJob& job, const ChosenOp& first, const Arguments& arguments,
                             Console& console) {
  Workers workers;
  workers.executors = {&first.executor()};
  for (int64_t w = 1; w < arguments.integer("--workers"); ++w) {
    OPKIT_TRY(ChosenOp one,
              choose_op_and_soc(job.op, arguments, open_options(arguments, console), console));
    workers.more.push_back(std::move(one));
  }
  for (const ChosenOp& one : workers.more) workers.executors.push_back(&one.executor());
  return workers;
}

tuning::TunedCall subject_of_call(const ChosenOp& chosen, const CallName& name) {
  const registry::Manifest& manifest = chosen.op->package.manifest;
  return {chosen.contract().op,
          manifest.version,
          sha256_hex(chosen.contract().text),
          chosen.executor().digest(),
          name.inputs,
          name.attrs,
          chosen.soc,
          trace::version_of_times(chosen.soc)};
}

}  // namespace

Result<JobResult> run_job(const TuneJob& job, const Arguments& arguments, tuning::Store* store,
                          Console& console) {
  OPKIT_TRY(const ChosenOp chosen,
            choose_op_and_soc(job.op, arguments, open_options(arguments, console), console));
  const OpContract& contract = chosen.contract();
  OPKIT_TRY(const Knobs knobs, read_knobs(contract.text, contract.location.file));
  if (knobs.empty()) return no_knobs(contract);
  OPKIT_TRY(const std::unique_ptr<Facts> facts, facts_of_call(contract, job.call));
  OPKIT_TRY(const CallName name, name_of_call(contract, facts->facts));
  OPKIT_TRY(const Workers workers, open_workers(job, chosen, arguments, console));
  tuning::DryMeter::Setup setup;
  setup.contract = &contract;
  setup.executors = workers.executors;
  setup.soc = chosen.soc;
  setup.facts = &facts->facts;
  OPKIT_TRY(setup.rates, trace::rates_of(*chosen.spec));
  setup.bound = bound_of_call(contract, job.call, setup.rates);
  OPKIT_TRY(setup.score, tuning::Score::parse(arguments.get("--score")));
  setup.store = store;
  setup.subject = subject_of_call(chosen, name);
  ProgressLine progress(console, fmt::format("tune {} {}", contract.op, job.name));
  tuning::SearchOptions options = search_options(arguments, setup.score, progress);
  const Prover prover(chosen, job.call);
  options.prove = [&](const TuningRow& row) {
    progress.step("on data: " + tuning::told(row));
    return prover.prove(row);
  };
  const tuning::TunedCall subject = setup.subject;
  tuning::DryMeter meter(std::move(setup));
  OPKIT_TRY(tuning::Tuned tuned,
            tuning::tune(tuning::Space(knobs), meter, options, subject, store));
  tuned.name = job.name;
  return JobResult{std::move(tuned), bank_path(contract).lexically_normal()};
}

}  // namespace opkit::cli
