// Prints predicted against published times and holds the model to what docs/timing.md promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "cases.h"

namespace calibration {
namespace {

class Calibration : public ::testing::Test {
 public:
  static void SetUpTestSuite() {
    for (const auto& list : {vector_cases(), transfer_cases(), cube_cases(), mixed_cases()}) {
      for (const Case& c : list) {
        const Prediction prediction = c.predict();
        const double predicted = prediction.us;
        const double error = (predicted - c.published) / c.published;
        predicted_[c.name] = predicted;
        errors_.push_back(std::fabs(error));
        std::printf("%-4s %12.2f %12.2f %+7.1f %%  %s\n", c.name.c_str(), c.published, predicted,
                    error * 100, c.what.c_str());
        for (const PipeFigure& figure : c.pipes) print_pipe(prediction, figure);
      }
    }
    std::sort(errors_.begin(), errors_.end());
    std::printf("median error %.1f %% of %zu cases\n", errors_[errors_.size() / 2] * 100,
                errors_.size());
  }

 protected:
  static void print_pipe(const Prediction& p, const PipeFigure& figure) {
    uint64_t cycles = 0;
    size_t cores = 0;
    const bool vector_pipe = figure.pipe == 1 || figure.pipe == 5;  // V, MTE3
    const bool cube_pipe = figure.pipe == 2 || figure.pipe == 3 || figure.pipe == 6;
    for (const auto& core : p.result.cores) {
      const bool vector = core.kind == OPK_CORE_AIV;
      if (vector ? figure.cube_only || cube_pipe : figure.vector_only || vector_pipe) continue;
      cycles += core.pipes[figure.pipe].busy;
      ++cores;
    }
    const double mean = static_cast<double>(cycles) / static_cast<double>(cores) /
                        p.result.rates.frequency_mhz * p.scale;
    std::printf("  %-4s %10.2f %12.2f %+7.1f %%\n", opkit::core::timed_pipe_name(figure.pipe),
                figure.published, mean, (mean / figure.published - 1) * 100);
  }
  static bool faster(const char* a, const char* b) { return predicted_.at(a) < predicted_.at(b); }

  static inline std::map<std::string, double> predicted_;
  static inline std::vector<double> errors_;
};

TEST_F(Calibration, MedianErrorStaysBelowFifteenPercent) {
  EXPECT_LT(errors_[errors_.size() / 2], 0.15);
}

TEST_F(Calibration, MoreCoresAndDoubleBufferingAreFaster) {
  EXPECT_TRUE(faster("A3", "A1"));
  EXPECT_TRUE(faster("A5", "A3"));
  EXPECT_TRUE(faster("M3", "M0"));
  EXPECT_TRUE(faster("M5", "M3"));
  EXPECT_TRUE(faster("G1b", "G1a"));
  EXPECT_TRUE(faster("G3b", "G3a"));
  EXPECT_TRUE(faster("G4b", "G4a"));
  EXPECT_TRUE(faster("A1", "A0"));
  EXPECT_TRUE(faster("Q2", "Q0"));  // two vector cores and a deeper ring
}

TEST_F(Calibration, BankConflictsCost) {
  EXPECT_TRUE(faster("K1", "K5"));
  EXPECT_TRUE(faster("K5", "K2"));
  EXPECT_EQ(predicted_.at("K1"), predicted_.at("K4"));
}

TEST_F(Calibration, LargeCopiesBeatSmallOnesAndL2BeatsHbm) {
  EXPECT_TRUE(faster("U3", "U1"));
  EXPECT_LT(predicted_.at("U6"), 4 * predicted_.at("U3") * 0.6);
  EXPECT_TRUE(faster("T1", "T3"));
  EXPECT_TRUE(faster("G3c", "G3b"));  // larger blocks
  EXPECT_TRUE(faster("G3d", "G3c"));  // bigger packets
  EXPECT_TRUE(faster("G2b", "G2a"));  // less scalar work
  EXPECT_TRUE(faster("U8", "U7"));    // not all cores at one address
}

TEST_F(Calibration, ShorterReductionsAreFaster) {
  EXPECT_TRUE(faster("R3", "R1"));
  EXPECT_TRUE(faster("R3", "R2"));
  EXPECT_TRUE(faster("R1", "R2"));
  EXPECT_TRUE(faster("R4", "R5"));
}

}  // namespace
}  // namespace calibration
