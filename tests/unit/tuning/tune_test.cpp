// One call's tuning with a meter of made-up costs: what is refused, what is kept and what of it is
// taken again.
#include "opkit/tuning/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "opkit/tuning/dry_meter.h"

namespace opkit::tuning {
namespace {

using ::testing::HasSubstr;

// Refuses what it is told to; others take 1000 ns less their tile.
class Refuser : public Meter {
 public:
  explicit Refuser(std::function<bool(const TuningRow&)> refuses) : refuses_(std::move(refuses)) {}

  void plan(const std::vector<TuningRow*>& rows) override {
    for (TuningRow* row : rows) {
      row->tiling = told(*row);
      if (!refuses_(*row)) continue;
      row->verdict = RowVerdict::kRefused;
      row->code = "OPK-TILE-008";
      row->reason = "too large";
    }
  }
  void measure(const std::vector<TuningRow*>& rows, bool few) override {
    for (TuningRow* row : rows) {
      row->ns = 1000;
      for (const auto& [name, tile] : row->knobs)
        row->ns -= static_cast<uint64_t>(std::get<int64_t>(tile));
      row->score = static_cast<double>(row->ns);
      if (!few) row->verdict = RowVerdict::kMeasured;
    }
  }

 private:
  std::function<bool(const TuningRow&)> refuses_;
};

Space tiles() { return Space({Knob{"tile", {1, 2, 3}, {}, {}}}); }

TunedCall call_of(const std::string& op) {
  return {op, "1.0.0", "c", "p", "float16[8]", "", "Ascend910B1", "f"};
}

std::filesystem::path fresh_file(const char* name) {
  const auto file = std::filesystem::path(testing::TempDir()) / name;
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
  return file;
}

TEST(Tune, ADefaultThatIsRefusedIsNoStart) {
  Refuser meter([](const TuningRow& row) { return row.knobs.empty(); });
  const auto tuned = tune(tiles(), meter, {}, call_of("Odd"), nullptr);
  ASSERT_FALSE(tuned.ok());
  EXPECT_EQ(tuned.error().code, "OPK-TUNE-007");
  EXPECT_THAT(tuned.error().message, HasSubstr("OPK-TILE-008 too large"));
}

TEST(Tune, ASpaceWhoseCombinationsAreAllRefusedIsSaid) {
  Refuser meter([](const TuningRow& row) { return !row.knobs.empty(); });
  const auto tuned = tune(tiles(), meter, {}, call_of("Odd"), nullptr);
  ASSERT_FALSE(tuned.ok());
  EXPECT_EQ(tuned.error().code, "OPK-TUNE-009");
  EXPECT_THAT(tuned.error().message, HasSubstr("all 3 combinations"));
}

TEST(Tune, ChangesOfAKnobAreKeptByPluginAndAttributes) {
  auto store = Store::open(fresh_file("changes.sqlite"));
  ASSERT_TRUE(store.ok());
  Refuser meter([](const TuningRow&) { return false; });
  TunedCall subject = call_of("Odd");
  ASSERT_TRUE(tune(tiles(), meter, {}, subject, &*store).ok());
  subject.plugin = "another";
  ASSERT_TRUE(tune(tiles(), meter, {}, subject, &*store).ok());
  subject.attrs = "axis=1";
  ASSERT_TRUE(tune(tiles(), meter, {}, subject, &*store).ok());
  ASSERT_TRUE(tune(tiles(), meter, {}, subject, &*store).ok());  // repeats it
  EXPECT_EQ(store->trials("Odd").size(), 3u);
  EXPECT_EQ(store->trials("Odd").front().after, "3");
  EXPECT_TRUE(store->trials("Other").empty());
}

TEST(Store, RemembersNothingOfAnotherModelOfTime) {
  auto store = Store::open(fresh_file("figures.sqlite"));
  ASSERT_TRUE(store.ok());
  TunedCall subject = call_of("Odd");
  TuningRow row;
  row.knobs["tuning.tile"] = int64_t{2};
  row.verdict = RowVerdict::kMeasured;
  row.ns = 7;
  ASSERT_TRUE(store->add(subject, {&row}).ok());
  ASSERT_TRUE(store->find(subject, row.knobs));
  EXPECT_EQ(store->find(subject, row.knobs)->ns, 7u);
  subject.figures = "g";
  EXPECT_FALSE(store->find(subject, row.knobs));
}

TEST(Store, AFileThatIsNoDatabaseIsSaid) {
  const auto file = fresh_file("broken.sqlite");
  FILE* broken = std::fopen(file.c_str(), "w");
  std::fputs("this is no database, and long enough for SQLite to look at its head", broken);
  std::fclose(broken);
  const auto store = Store::open(file);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, "OPK-TUNE-005");
}

core::TimingRates rates_with(uint32_t cubes, uint32_t vectors) {
  core::TimingRates rates;
  rates.frequency_mhz = 1000;
  rates.cube_cores = cubes;
  rates.vector_cores = vectors;
  rates.gm_read = 32;
  rates.hbm = 800;
  rates.l2 = 3200;
  rates.launch_ns = 100;
  rates.launch_vector_ns = 10;
  rates.launch_cube_ns = 50;
  return rates;
}

TEST(Bounds, CountStartsBytesAndProducts) {
  const core::TimingRates rates = rates_with(4, 8);
  // One vector core: its start, and 3200 bytes at 32 a cycle of a nanosecond.
  EXPECT_EQ(bound_of({3200, 0, 0, 0}, rates, 1, OPK_TASK_AIV_ONLY),
            100u + static_cast<uint64_t>(0.995 * (10 + 100)));
  // Blocks beyond those that run at once start nothing more.
  EXPECT_EQ(bound_of({}, rates, 64, OPK_TASK_AIC_ONLY), bound_of({}, rates, 4, OPK_TASK_AIC_ONLY));
  EXPECT_EQ(bound_of({0, 0, 4000, 10}, rates, 4, OPK_TASK_AIC_ONLY),
            100u + static_cast<uint64_t>(0.995 * (4 * 10 + 100)));
}

TEST(Bounds, OfAllTilingsIsTheLeast) {
  const core::TimingRates rates = rates_with(4, 8);
  const CallBound call{64000, 64000, 0, 1};
  const uint64_t least = bound_of(call, rates);
  for (uint32_t blocks = 1; blocks < 20; ++blocks) {
    EXPECT_LE(least, bound_of(call, rates, blocks, OPK_TASK_AIV_ONLY));
    EXPECT_LE(least, bound_of(call, rates, blocks, OPK_TASK_MIX_1_2));
  }
}

}  // namespace
}  // namespace opkit::tuning
