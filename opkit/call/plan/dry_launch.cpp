#include "opkit/call/plan/dry_launch.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "opkit/call/plan/aicpu.h"
#include "opkit/call/plan/workspace.h"

namespace opkit {
namespace {

constexpr uint64_t kApart = 4096;  // bytes from the end of a tensor to the next one, at least

// Deals out addresses where nothing lies.
class PhantomSpace {
 public:
  // Error: OPK-RUN-011.
  Result<void*> take(uint64_t bytes, const OpContract& contract) {
    if (bytes > core::kPhantomGmBytes - 2 * kApart - used_) {
      return contract.error(
          "OPK-RUN-011",
          fmt::format("the call's tensors take more than {} bytes", core::kPhantomGmBytes),
          "choose a smaller shape");
    }
    void* address = reinterpret_cast<void*>(core::kPhantomGm + used_);
    used_ += (bytes + kApart - 1) / kApart * kApart + kApart;
    return address;
  }

 private:
  uint64_t used_ = 0;
};

class DryCall {
 public:
  DryCall(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine)
      : plan_(plan), machine_(machine) {}

  Result<DryLaunch> launch(core::Observer& observer, const DryLaunchOptions& options) {
    OPKIT_CHECK(address_inputs());
    OPKIT_TRY(launch_.at.outputs, phantoms(plan_->output_layouts));
    if (options.in_place)
      launch_.at.outputs[options.in_place->output] = launch_.at.inputs[options.in_place->input];
    OPKIT_CHECK(address_workspace());
    launch_.at.own_inputs = true;
    if (is_aicpu(*plan_)) {
      launch_.dry.needs_data = "a CpuKernel reads and writes its tensors by pointer";
      return std::move(launch_);
    }
    OPKIT_TRY(PlacedCall call, PlacedCall::place(plan_, launch_.at));
    core::DryOptions dry;
    dry.answer = options.answer;
    dry.most_per_core = options.most_per_core;
    dry.most = options.most;
    for (const core::GmRange& range : call.gm()) {
      if (empty_.count(range.base) > 0) dry.unbacked.push_back(range);
    }
    core::Dry without_data(observer, std::move(dry));
    launch_.report = call.launch(machine_, {&without_data, options.schedule_seed, true});
    launch_.dry = without_data.report();
    return std::move(launch_);
  }

 private:
  Result<void*> phantom(uint64_t bytes) {
    OPKIT_TRY(void* address, space_.take(bytes, *plan_->contract));
    empty_.insert(static_cast<const uint8_t*>(address));
    return address;
  }

  Result<std::vector<std::vector<void*>>> phantoms(const std::vector<PortLayouts>& ports) {
    std::vector<std::vector<void*>> all;
    for (const PortLayouts& layouts : ports) {
      std::vector<void*>& port = all.emplace_back();
      for (const StorageLayout& layout : layouts) {
        OPKIT_TRY(void* address, phantom(stored_bytes(layout)));
        port.push_back(address);
      }
    }
    return all;
  }

  // Inputs that the host reads are there, for kernels that read them, too.
  Status address_inputs() {
    OPKIT_TRY(launch_.at.inputs, phantoms(plan_->input_layouts));
    values_ = plan_->values;
    for (size_t p = 0; p < values_.size(); ++p) {
      for (size_t t = 0; t < values_[p].size(); ++t) launch_.at.inputs[p][t] = values_[p][t].data();
    }
    return {};
  }

  // Cores may wait for words of it, so it is there when the host has the addresses.
  Status address_workspace() {
    const uint64_t bytes = plan_->tiling.workspace_bytes();
    auto real = Workspace::make(bytes, true);
    if (real.ok()) {
      workspace_ = std::move(real).value();
      launch_.at.workspace = workspace_.data();
      empty_.insert(reinterpret_cast<const uint8_t*>(workspace_.data()));
      return {};
    }
    OPKIT_TRY(launch_.at.workspace, phantom(bytes));
    return {};
  }

  const std::shared_ptr<const CallPlan>& plan_;
  core::Machine& machine_;
  PhantomSpace space_;
  std::set<const uint8_t*> empty_;  // bases of what has no contents
  std::vector<PortTensors> values_;
  Workspace workspace_;
  DryLaunch launch_;
};

}  // namespace

Error needs_data(const CallPlan& plan, const std::string& why) {
  return plan.contract->error(
      "OPK-DRY-001",
      fmt::format(
          "what the kernel does depends on its data, which a launch without arithmetic does "
          "not have: {}",
          why),
      "run it on data");
}

Result<DryLaunch> launch_dry(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                             core::Observer& observer, const DryLaunchOptions& options) {
  return DryCall(plan, machine).launch(observer, options);
}

}  // namespace opkit
