#include <algorithm>
#include <utility>

#include "opkit/call/execute/execution.h"
#include "opkit/call/plan/aicpu.h"
#include "opkit/call/trace/rates.h"
#include "opkit/call/trace/report.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/profile/model_profile.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::model_profile {
namespace {

bool uses(const core::TimedResult& timed, uint8_t kind) {
  return std::any_of(timed.cores.begin(), timed.cores.end(),
                     [&](const auto& core) { return core.kind == kind; });
}

KernelTimes times_of(const core::TimedResult& timed) {
  const trace::Roofline roof = trace::roofline(timed);
  return {.task_ns = timed.task_ns,
          .busy_ns = timed.cycles * 1000 / timed.rates.frequency_mhz,
          .hbm_bytes = timed.traffic.hbm_read + timed.traffic.hbm_write,
          .memory_bound = roof.memory_bound,
          .on_cube = uses(timed, OPK_CORE_AIC),
          .on_vector = uses(timed, OPK_CORE_AIV),
          .operations = roof.operations,
          .of_roof = roof.roof > 0 ? roof.reached / roof.roof : 0};
}

// Launches that are timed one after the other.
class TimedLaunches {
 public:
  explicit TimedLaunches(unsigned threads) : threads_(threads) {}

  Status launch(PlacedCall& call, Executor& executor) {
    // On the host, whose clock counts.
    const bool timed = !is_aicpu(call.plan());
    WatchOptions options;
    if (timed) options.mode = Mode::kTimed;
    OPKIT_TRY(const Observation seen, executor.watch_placed(call, options, threads_));
    OPKIT_CHECK(first_mistake(seen.watched, call.plan().contract->op, seen.places));
    if (timed) kernels_.push_back(times_of(*seen.watched.timed));
    return {};
  }
  // Returns those since the last call.
  std::vector<KernelTimes> take() { return std::exchange(kernels_, {}); }

 private:
  unsigned threads_;
  std::vector<KernelTimes> kernels_;
};

}  // namespace

Result<ModelProfile> profile(model::OfflineModel model, const InstalledOps& ops,
                             const std::vector<Tensor>& inputs, const ProfileOptions& options) {
  OPKIT_TRY(const SocMatch soc, find_soc(model.soc));
  if (auto rates = trace::measured_rates(*soc.spec); !rates.ok()) {
    Error unmeasured = std::move(rates).error();
    unmeasured.action =
        "compile the model for a chip that was measured: atc --soc_version=Ascend910B1";
    return unmeasured;
  }
  TimedLaunches launches(options.threads);
  model_run::Lent lent;
  lent.launch = [&](PlacedCall& call, Executor& executor) {
    return launches.launch(call, executor);
  };
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(model), ops, options.threads, std::move(lent)));
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  OPKIT_TRY(const size_t gear, model::gear_of(runner.model(), shapes));
  std::vector<ModelProfile> frames;
  while (frames.size() < std::max(options.frames, 1u)) {
    model_run::RunTimes times;
    OPKIT_TRY(const std::vector<Tensor> outputs, runner.run(inputs, &times));
    frames.push_back(lay_out(runner.model(), gear, launches.take(), times.ran, options.link_gbps));
  }
  return join_frames(std::move(frames));
}

}  // namespace opkit::model_profile
