// Rows that the caches do not have: MlaProlog says which token's, in every mode.
#include <cstdint>
#include <string>

#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class MlaProlog : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"MlaProlog"})) GTEST_SKIP() << "no packages: run `make ops` first";
  }
  // Three tokens, caches of six rows.
  Shown lead(int64_t second, const std::string& mode) {
    write("index.npy", int64_npy({1, second, 2}));
    return opkit({"run",     "MlaProlog",           "--in",    "cache_index=index.npy",
                  "--shape", "token_x=3,8",         "--shape", "weight_dq=8,4",
                  "--shape", "weight_uq_qr=4,12",   "--shape", "weight_uk=2,4,5",
                  "--shape", "weight_dkv_kr=8,7",   "--shape", "rmsnorm_gamma_cq=4",
                  "--shape", "rmsnorm_gamma_ckv=5", "--shape", "rope_cos=3,1",
                  "--shape", "rope_sin=3,1",        "--shape", "kv_cache=3,2,5",
                  "--shape", "kr_cache=3,2,2",      "--mode",  mode});
  }
};

TEST_F(MlaProlog, RowsOutsideTheCachesAreErrors) {
  for (const char* mode : {"fast", "checked"}) {
    EXPECT_EQ(lead(5, mode).exit_code, 0) << mode;
    for (const int64_t row : {int64_t{6}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
      const Shown refused = lead(row, mode);
      EXPECT_NE(refused.exit_code, 0) << mode << " " << row;
      EXPECT_THAT(refused.out + refused.err, HasSubstr("EK1602"));
      EXPECT_THAT(refused.out + refused.err, HasSubstr("cache_index[1] is " + std::to_string(row) +
                                                       ": the caches have 6 rows"));
    }
  }
}

}  // namespace
}  // namespace opkit::e2e
