#include "opkit/verify/mutants/launch_record.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "opkit/core/isa/isa.h"
#include "opkit/core/state/core.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::verify {
namespace {

// Whoever leaves one of these out, or turns it into another, has another record.
TEST(LaunchRecorder, TellsSynchronisationApart) {
  const opk_soc_v1 soc = to_abi(*find_soc("Ascend910B1")->spec);
  core::Core core(soc, OPK_CORE_AIV, core::engine_isa());
  core.block = 0;
  core.lane = -1;
  int32_t word = 0;
  const std::function<void(LaunchRecorder&)> kEvents[] = {
      [&](LaunchRecorder&) {},
      [&](LaunchRecorder& r) { r.flag(core, OPK_SYNC_SET, OPK_PIPE_V, OPK_PIPE_MTE3, 0, nullptr); },
      [&](LaunchRecorder& r) { r.barrier(core, OPK_PIPE_V, nullptr); },
      [&](LaunchRecorder& r) { r.cross_flag(core, OPK_SYNC_SET, 0, OPK_PIPE_MTE3, 1, nullptr); },
      [&](LaunchRecorder& r) { r.cross_flag(core, OPK_SYNC_WAIT, 0, OPK_PIPE_MTE3, 1, nullptr); },
      [&](LaunchRecorder& r) { r.cross_flag(core, OPK_SYNC_SET, 2, OPK_PIPE_MTE3, 1, nullptr); },
      [&](LaunchRecorder& r) { r.sync_all(core, OPK_SYNC_SET, OPK_SYNC_ALL_AIV, nullptr); },
      [&](LaunchRecorder& r) { r.sync_all(core, OPK_SYNC_SET, 0, nullptr); },
      [&](LaunchRecorder& r) { r.gm_word(core, OPK_SYNC_SET, &word, nullptr); }};
  std::set<std::string> instructions, results;
  for (const auto& event : kEvents) {
    LaunchRecorder recorder({}, {});
    event(recorder);
    instructions.insert(recorder.record().instructions);
    results.insert(recorder.record().results);
  }
  EXPECT_EQ(instructions.size(), std::size(kEvents));
  EXPECT_EQ(results.size(), std::size(kEvents));
}

}  // namespace
}  // namespace opkit::verify
