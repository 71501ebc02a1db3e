// The published measurements of NpuArch 2201 (Ascend910B1) and the kernels that stand for them.
// Names and figures: the vendor's examples add_high_performance, bank_conflict_ub, reduce,
// data_copy, matmul_high_performance and matmul_basic_api_high_performance, and the guide's pages
// on matmul tuning.
#ifndef OPKIT_TESTS_CALIBRATION_CASES_H_
#define OPKIT_TESTS_CALIBRATION_CASES_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/core/modes/timed.h"

namespace calibration {

struct Prediction {
  double us = 0;
  opkit::core::TimedResult result;
  double scale = 1;  // the run stands for so many like it
};

// Mean busy time of a pipe over the cores, as the vendor's profiler gives it.
struct PipeFigure {
  size_t pipe;  // index of TimedResult's pipes
  double published;
  bool cube_only = false, vector_only = false;  // pick these cores of a mixed launch
};

struct Case {
  std::string name;
  std::string what;
  double published;  // microseconds, of the whole task where that was published
  std::function<Prediction()> predict;
  std::vector<PipeFigure> pipes = {};
};

std::vector<Case> vector_cases();
std::vector<Case> transfer_cases();
std::vector<Case> cube_cases();
std::vector<Case> mixed_cases();

}  // namespace calibration

#endif  // OPKIT_TESTS_CALIBRATION_CASES_H_
