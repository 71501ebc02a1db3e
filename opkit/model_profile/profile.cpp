#include "opkit/model/gears.h"
#include "opkit/model_profile/model_profile.h"
#include "opkit/runtime/aicpu.h"
#include "opkit/runtime/op_runner.h"
#include "opkit/runtime/watch.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/trace/report.h"

namespace opkit::model_profile {
namespace {

KernelTimes times_of(const core::TimedResult& timed) {
  return {.task_ns = timed.task_ns,
          .busy_ns = timed.cycles * 1000 / timed.rates.frequency_mhz,
          .hbm_bytes = timed.traffic.hbm_read + timed.traffic.hbm_write,
          .memory_bound = trace::roofline(timed).memory_bound};
}

// Launches that are timed one after the other.
class TimedLaunches {
 public:
  TimedLaunches(const SocSpec& soc, unsigned threads, Watch watch)
      : runner_(soc, threads), watch_(std::move(watch)) {}

  Status launch(PlacedCall& call) {
    // On the host, whose clock counts.
    LaunchOptions options;
    if (is_aicpu(call.plan())) return checked(call.launch(runner_.machine(), options), call);
    options.observer = watch_.observer();
    const Watched seen = watch_.take(call.launch(runner_.machine(), options));
    OPKIT_CHECK(checked(seen.report, call));
    kernels_.push_back(times_of(*seen.timed));
    return {};
  }
  const std::vector<KernelTimes>& kernels() const { return kernels_; }

 private:
  static Status checked(const core::LaunchReport& report, const PlacedCall& call) {
    if (report.ok()) return {};
    return to_error(report.faults.front(), call.plan().contract->op);
  }

  OpRunner runner_;
  Watch watch_;
  std::vector<KernelTimes> kernels_;
};

}  // namespace

Result<ModelProfile> profile(model::OfflineModel model, const InstalledOps& ops,
                             const std::vector<Tensor>& inputs, const ProfileOptions& options) {
  OPKIT_TRY(const SocMatch soc, find_soc(model.soc));
  WatchOptions timed;
  timed.mode = Mode::kTimed;
  OPKIT_TRY(Watch watch, Watch::make(timed, *soc.spec));
  TimedLaunches launches(*soc.spec, options.threads, std::move(watch));
  model_run::Lent lent;
  lent.launch = [&](PlacedCall& call) { return launches.launch(call); };
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(model), ops, options.threads, std::move(lent)));
  model_run::RunTimes times;
  OPKIT_TRY(const std::vector<Tensor> outputs, runner.run(inputs, &times));
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  OPKIT_TRY(const size_t gear, model::gear_of(runner.model(), shapes));
  return lay_out(runner.model(), gear, launches.kernels(), times.steps, options.link_gbps);
}

}  // namespace opkit::model_profile
