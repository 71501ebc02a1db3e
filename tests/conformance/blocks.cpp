#include "tests/conformance/blocks.h"

#include "tests/unit/core/kernel_run.h"

namespace conformance {
namespace {

std::function<void(uint8_t*)> current_body;

void entry(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  current_body(static_cast<uint8_t*>(args[0]));
}

BlocksOutcome run_once(const std::vector<uint8_t>& gm, const Blocks& blocks, unsigned threads) {
  const opk_soc_v1 soc = opkit::core::test::soc_910b();
  opkit::core::Machine machine(soc, threads);
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = blocks.task_type;
  kernel.aiv = kernel.aic = entry;
  BlocksOutcome outcome;
  outcome.gm = gm;
  void* args[] = {outcome.gm.data()};
  opkit::core::LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = blocks.count;
  request.tiling_key = blocks.tiling_key;
  request.args = args;
  const auto report =
      blocks.raw ? machine.launch(request) : opkit::core::test::launch_observed(machine, request);
  outcome.printed = report.printed;
  outcome.faults = report.faults;
  return outcome;
}

}  // namespace

BlocksOutcome run_blocks(const std::vector<uint8_t>& gm, const std::function<void(uint8_t*)>& body,
                         const Blocks& blocks) {
  current_body = body;
  const BlocksOutcome one = run_once(gm, blocks, 1), two = run_once(gm, blocks, 2);
  EXPECT_EQ(one.gm, two.gm) << "two threads give other bytes";
  EXPECT_EQ(one.printed, two.printed);
  EXPECT_EQ(one.faults.size(), two.faults.size());
  return one;
}

}  // namespace conformance
