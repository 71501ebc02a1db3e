// The search on made-up costs: what it finds, how little of the space it measures, and that neither
// the number of workers nor the order of their answers matters.
#include "opkit/tuning/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "opkit/tuning/score.h"

namespace opkit::tuning {
namespace {

using ::testing::HasSubstr;

Knob knob(const std::string& name, int64_t least, int64_t most) {
  Knob made{name, {}, {}, {}};
  for (int64_t v = least; v <= most; ++v) made.values.push_back(v);
  return made;
}

int64_t value(const TuningRow& row, const std::string& name) {
  const auto found = row.knobs.find("tuning." + name);
  return found == row.knobs.end() ? 0 : std::get<int64_t>(found->second);
}

// Costs by a formula; bounds that are admissible.
class Formula : public Meter {
 public:
  using Cost = std::function<double(const TuningRow&)>;
  Formula(Cost cost, double bound_share) : cost_(std::move(cost)), bound_share_(bound_share) {}

  void plan(const std::vector<TuningRow*>& rows) override {
    for (TuningRow* row : rows) {
      if (value(*row, "tile") == 13) {
        row->verdict = RowVerdict::kRefused;
        row->code = "OPK-TILE-008";
        continue;
      }
      row->tiling = told(*row);
      row->bound_ns = static_cast<uint64_t>(cost_(*row) * bound_share_);
    }
  }
  void measure(const std::vector<TuningRow*>& rows, bool few) override {
    for (TuningRow* row : rows) {
      ++asked;
      row->ns = static_cast<uint64_t>(cost_(*row));
      row->score = static_cast<double>(row->ns);
      if (!few) row->verdict = RowVerdict::kMeasured;
    }
  }
  uint64_t least_ns() const override { return least; }
  size_t asked = 0;
  uint64_t least = 0;

 private:
  Cost cost_;
  double bound_share_;
};

double valley(const TuningRow& row) {
  const double tile = static_cast<double>(value(row, "tile")),
               cores = static_cast<double>(value(row, "cores"));
  if (row.knobs.empty()) return 5000;
  return 1000 + 10 * (tile - 40) * (tile - 40) + 3 * std::abs(cores - 17);
}

TEST(Search, FindsTheOptimumOfASmallSpaceAndProvesIt) {
  const Space space({knob("tile", 1, 60), knob("cores", 1, 24)});
  Formula meter(valley, 0.9);
  const SearchedSpace found = search(space, meter, {});
  ASSERT_NE(found.best(), nullptr);
  EXPECT_EQ(told(*found.best()), "cores=17, tile=40");
  EXPECT_TRUE(found.proved);
  EXPECT_LT(found.measured, space.size() / 8) << found.proof;
  EXPECT_THAT(found.proof, HasSubstr("no other one can take less"));
}

TEST(Search, MeasuresAllWhereBoundsSayNothing) {
  const Space space({knob("tile", 1, 12), knob("cores", 1, 4)});
  Formula meter(valley, 0.01);
  const SearchedSpace found = search(space, meter, {});
  EXPECT_TRUE(found.proved);
  EXPECT_EQ(found.measured, 12u * 4 + 1);
  EXPECT_THAT(found.proof, HasSubstr("all 49 different tilings"));
}

TEST(Search, GuidesItselfThroughALargeSpace) {
  const Space space({knob("tile", 1, 400), knob("cores", 1, 400)});
  Formula meter(valley, 0.5);
  SearchOptions options;
  options.exhausted = 100;
  const SearchedSpace found = search(space, meter, options);
  ASSERT_NE(found.best(), nullptr);
  EXPECT_LE(valley(*found.best()), 1020);  // within 2 % of the optimum
  EXPECT_LT(found.measured, space.size() / 10);
  EXPECT_FALSE(found.proved);
  EXPECT_THAT(found.proof, HasSubstr("better ones may exist"));
}

TEST(Search, AWrongWinnerRulesOutNothing) {
  // 40 rules out what is far from it, and is wrong on data, as its neighbours are.
  const Space space({knob("tile", 1, 60)});
  Formula meter(valley, 0.9);
  SearchOptions options;
  options.prove = [](const TuningRow& row) {
    return std::abs(value(row, "tile") - 40) < 6 ? Status(Error("EK1101", "out of bounds"))
                                                 : Status();
  };
  const SearchedSpace found = search(space, meter, options);
  ASSERT_NE(found.best(), nullptr);
  EXPECT_EQ(told(*found.best()), "tile=34");
  EXPECT_EQ(found.best()->verdict, RowVerdict::kRight);
  EXPECT_TRUE(found.proved);
}

TEST(Search, TriesWhatIsAlwaysWrongOnlySoOften) {
  const Space space({knob("tile", 1, 12), knob("cores", 1, 24)});
  Formula meter(valley, 0.9);
  size_t tried = 0;
  SearchOptions options;
  options.prove = [&](const TuningRow&) {
    ++tried;
    return Status(Error("EK1101", "out of bounds"));
  };
  const SearchedSpace found = search(space, meter, options);
  EXPECT_EQ(tried, 16u);
  EXPECT_NE(found.best()->verdict, RowVerdict::kRight);
}

TEST(Search, KeepsToItsBudget) {
  const Space space({knob("tile", 1, 400), knob("cores", 1, 400)});
  for (const uint64_t most : {1u, 5u, 23u, 100u}) {
    Formula meter(valley, 0.01);
    SearchOptions options;
    options.exhausted = 100;
    options.most = most;
    EXPECT_LE(search(space, meter, options).measured, most);
  }
}

TEST(Search, ProvesNothingOfWhatItHasNotPlanned) {
  // The bounds of the planned candidates are met; another one of the space may take less.
  const Space space({knob("tile", 1, 400), knob("cores", 1, 400)});
  Formula meter([](const TuningRow&) { return 1000.0; }, 1);
  SearchOptions options;
  options.exhausted = 100;
  EXPECT_FALSE(search(space, meter, options).proved);
  meter.least = 990;
  const SearchedSpace found = search(space, meter, options);
  EXPECT_TRUE(found.proved);
  EXPECT_EQ(found.bound_ns, 990u);
  EXPECT_THAT(found.proof, HasSubstr("can take less than the bound"));
}

TEST(Search, SaysWhatWasRefused) {
  const Space space({knob("tile", 13, 14)});
  Formula meter(valley, 0.5);
  const SearchedSpace found = search(space, meter, {});
  EXPECT_EQ(found.rows[1].verdict, RowVerdict::kRefused);
  EXPECT_EQ(found.rows[1].code, "OPK-TILE-008");
  EXPECT_EQ(told(*found.best()), "default");  // tile 14 takes 7,811 ns
}

TEST(Search, KeepsTheDefaultWhereNothingIsBetter) {
  const Space space({knob("tile", 1, 4)});
  Formula meter([](const TuningRow& row) { return row.knobs.empty() ? 10.0 : 20.0; }, 0.1);
  EXPECT_EQ(told(*search(space, meter, {}).best()), "default");
}

TEST(Search, SpacesCountWithoutOverflow) {
  Knobs knobs;
  for (int i = 0; i < 12; ++i) knobs.push_back(knob("k" + std::to_string(i), 1, 4000));
  EXPECT_EQ(Space(std::move(knobs)).size(), UINT64_MAX);
  const Space space({knob("a", 1, 3), knob("b", 1, 5)});
  EXPECT_EQ(space.size(), 15u);
  EXPECT_EQ(space.places(7), (KnobPlaces{1, 2}));
  EXPECT_EQ(space.spread(1), (KnobPlaces{1, 1}));
  std::set<KnobPlaces> points;
  for (uint64_t i = 1; i <= 15; ++i) points.insert(space.spread(i));
  EXPECT_GE(points.size(), 12u);
}

TEST(Scores, AreSumsOfProductsOfCounters) {
  TuningRow row;
  row.ns = 2000;
  row.gm_bytes = 3 << 20;
  row.block_dim = 8;
  EXPECT_EQ(Score().of(row), 2000);
  EXPECT_DOUBLE_EQ(Score::parse("source")->of(row), 0.5 * 2 + 0.3 * 2 + 0.2 * 3);
  EXPECT_DOUBLE_EQ(Score::parse("(latency + blocks) * -2 / 4")->of(row), -5);
  const auto unknown = Score::parse("latancy * 2");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, "OPK-TUNE-006");
  EXPECT_THAT(unknown.error().message, HasSubstr("there is no counter 'latancy'"));
  EXPECT_THAT(unknown.error().action, HasSubstr("latency"));
  for (const char* bad :
       {"", "1 +", "(1", "1 2", "#", "((((((((((((((((((((((((((((((((((((((((((((("})
    EXPECT_FALSE(Score::parse(bad).ok()) << bad;
}

}  // namespace
}  // namespace opkit::tuning
