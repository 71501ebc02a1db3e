#include "opkit/acl/nn/canary_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/moved_call.h"
#include "opkit/oracle/compare_call.h"

namespace opkit::acl {
namespace {

using Ports = std::vector<std::vector<Tensor>>;

bool same_bits(const Ports& a, const Ports& b) {
  const auto same_port = [](const std::vector<Tensor>& x, const std::vector<Tensor>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), oracle::same_bytes);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_port);
}

// Returns what is wrong with outputs by the contract; empty: nothing.
std::string wrong_by_contract(const aclOpExecutor& call, const Ports& inputs,
                              const Ports& outputs) {
  const Binding& binding = call.plan->binding;
  oracle::OracleCall reference{&call.contract(), &inputs, binding.attrs, {}, binding.column};
  reference.scope = binding.scope;
  const auto compared = oracle::compare_call(reference, outputs);
  if (!compared.ok())
    return "its outputs have other bits, and nothing judges them: " + compared.error().message;
  for (const oracle::Comparison& one : *compared) {
    if (one.ok()) continue;
    return fmt::format("{} of {} elements of output '{}' are not what its contract allows",
                       one.wrong, one.elements, call.contract().outputs[one.port].name);
  }
  return {};
}

// Runs one call with the version of an op that is on trial.
class Trial {
 public:
  Trial(EmulatedDevice& device, const aclOpExecutor& served, const MovedCall& moved)
      : device_(device),
        served_(served),
        moved_(moved),
        inputs_(elements_of(call().arguments.inputs, call().plan->input_layouts)) {}

  // ran: the version that serves has run the call.
  void conclude(bool ran) {
    const auto done = run(device_, call(), moved_.workspace().memory(), moved_.workspace().bytes());
    if (!done.ok()) return served_.canary->refuse(done.error().message);
    if (!*done) return served_.canary->refuse("its kernel failed on a call");
    const Ports now = outputs_of(call());
    if (ran && same_bits(outputs_of(served_), now)) return served_.canary->promote();
    const std::string wrong = wrong_by_contract(call(), inputs_, now);
    wrong.empty() ? served_.canary->promote() : served_.canary->refuse(wrong);
  }

 private:
  const aclOpExecutor& call() const { return moved_.call(); }
  static Ports outputs_of(const aclOpExecutor& call) {
    return elements_of(call.arguments.outputs, call.plan->output_layouts);
  }

  EmulatedDevice& device_;
  const aclOpExecutor& served_;
  const MovedCall& moved_;
  const Ports inputs_;  // before anything ran
};

}  // namespace

Result<bool> run_served(EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
                        uint64_t workspace_bytes) {
  if (!executor.canary || executor.canary->verdict() != Canary::Verdict::kOpen)
    return run(device, executor, workspace, workspace_bytes);
  const auto judging = executor.canary->judging();
  if (!judging.owns_lock()) return run(device, executor, workspace, workspace_bytes);
  const auto moved = MovedCall::of(device, *executor.trial);
  std::optional<Trial> trial;
  if (moved.ok() && *moved) trial.emplace(device, executor, **moved);
  Result<bool> served = run(device, executor, workspace, workspace_bytes);
  if (trial) {
    trial->conclude(served.ok() && *served);
  } else if (!moved.ok() && served.ok()) {
    executor.canary->refuse(moved.error().message);
  }
  return served;
}

}  // namespace opkit::acl
