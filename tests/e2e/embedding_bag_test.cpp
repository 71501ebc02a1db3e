// Ids that no row of the table has: EmbeddingBagMlp says which one, in every mode.
#include <cstdint>
#include <string>

#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class EmbeddingBag : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"EmbeddingBagMlp"})) GTEST_SKIP() << "no packages: run `make ops` first";
    write("offsets.npy", int64_npy({0, 2}));
  }
  // Two bags of four ids, a table of ten rows.
  Shown look_up(int64_t third, const std::string& mode) {
    write("ids.npy", int64_npy({0, 3, third, 2}));
    return opkit({"run",     "EmbeddingBagMlp",
                  "--in",    "ids=ids.npy",
                  "--in",    "offsets=offsets.npy",
                  "--shape", "table=10,8",
                  "--shape", "w1=8,4",
                  "--shape", "b1=4",
                  "--shape", "w2=4,2",
                  "--shape", "b2=2",
                  "--shape", "w3=2,1",
                  "--shape", "b3=1",
                  "--mode",  mode});
  }
};

TEST_F(EmbeddingBag, IdsOutsideTheTableAreErrors) {
  EXPECT_EQ(look_up(9, "fast").exit_code, 0);
  for (const char* mode : {"fast", "checked"}) {
    for (const int64_t id : {int64_t{10}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
      const Shown refused = look_up(id, mode);
      EXPECT_NE(refused.exit_code, 0) << mode << " " << id;
      EXPECT_THAT(refused.out + refused.err, HasSubstr("EK1602"));
      EXPECT_THAT(refused.out + refused.err,
                  HasSubstr("ids[2] is " + std::to_string(id) + ": the table has 10 rows"));
    }
  }
}

}  // namespace
}  // namespace opkit::e2e
