#include "opkit/cli/text/timed_text.h"

#include <gtest/gtest.h>

namespace opkit::cli {
namespace {

// A core of 100 cycles whose first pipe is busy for so many.
core::CoreTimes core_of(uint8_t kind, uint64_t busy) {
  core::CoreTimes core;
  core.kind = kind;
  core.end = 100;
  core.pipes[0].busy = busy;
  core.pipes[0].instructions = 1;
  return core;
}

core::TimedResult launch_on(std::vector<core::CoreTimes> cores) {
  core::TimedResult result;
  result.cycles = 100;
  result.rates.frequency_mhz = 1000;
  result.cores = std::move(cores);
  return result;
}

TEST(TimedJson, KindsOfCoresAreJudgedApart) {
  const Json json = timed_json(
      launch_on({core_of(OPK_CORE_AIC, 80), core_of(OPK_CORE_AIV, 10), core_of(OPK_CORE_AIV, 30)}));
  const char* pipe = core::timed_pipe_name(0);
  EXPECT_EQ(json["pipes"][pipe]["busy_cycles"], Json(uint64_t{120}));
  EXPECT_TRUE(json["pipes"][pipe]["busy_share"].is_null());
  EXPECT_EQ(json["cube_pipes"][pipe]["busy_share"], Json(0.8));
  EXPECT_EQ(json["vector_pipes"][pipe]["busy_share"], Json(0.2));
}

TEST(TimedJson, OneKindNeedsNoOther) {
  const Json json = timed_json(launch_on({core_of(OPK_CORE_AIV, 10), core_of(OPK_CORE_AIV, 30)}));
  EXPECT_EQ(json["pipes"][core::timed_pipe_name(0)]["busy_share"], Json(0.2));
  EXPECT_TRUE(json["cube_pipes"].is_null());
}

}  // namespace
}  // namespace opkit::cli
