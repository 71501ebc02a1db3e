// Indices that leave the axis: ops that take or leave elements by index say which one, in every
// mode, whichever way they read them.
#include <cstdint>
#include <string>
#include <vector>

#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class AxisIndices : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"Gather", "GatherElements", "ScatterElements"}))
      GTEST_SKIP() << "no packages: run `make ops` first";
  }
  // The third of four indices.
  Shown take(const std::string& op, int64_t places, int64_t third, const std::string& mode) {
    write("indices.npy", int64_npy({0, places - 1, third, -1}));
    std::vector<std::string> words = {"run",     op,
                                      "--in",    "indices=indices.npy",
                                      "--shape", "data=" + std::to_string(places),
                                      "--dtype", "data=float32",
                                      "--mode",  mode};
    if (op == "ScatterElements") {
      write("updates.npy", float_npy({1, 2, 3, 4}));
      words.insert(words.end(), {"--in", "updates=updates.npy"});
    }
    return opkit(words);
  }
  void expect_judged(const std::string& op, int64_t places) {
    for (const char* mode : {"fast", "checked"}) {
      for (const int64_t index : {-places, places - 1}) {
        const Shown taken = take(op, places, index, mode);
        EXPECT_EQ(taken.exit_code, 0) << op << " " << mode << " " << index << taken.err;
      }
      for (const int64_t index : {places, -places - 1, int64_t{1} << 32, INT64_MIN, INT64_MAX}) {
        const Shown refused = take(op, places, index, mode);
        EXPECT_NE(refused.exit_code, 0) << op << " " << mode << " " << index;
        EXPECT_THAT(refused.out + refused.err, HasSubstr("EK1602"));
        EXPECT_THAT(refused.out + refused.err,
                    HasSubstr("indices[2] is " + std::to_string(index) + ": the axis has " +
                              std::to_string(places) + " places"));
      }
    }
  }
};

TEST_F(AxisIndices, LeaveSlices) { expect_judged("Gather", 10); }
TEST_F(AxisIndices, LeaveElementsThatAreGathered) {
  expect_judged("GatherElements", 10);    // gathers by instructions
  expect_judged("GatherElements", 5000);  // gathers by the scalar unit: few indices of a long axis
}
TEST_F(AxisIndices, LeaveElementsThatAreReplaced) { expect_judged("ScatterElements", 10); }

}  // namespace
}  // namespace opkit::e2e
