// The published measurements of NpuArch 2201 (Ascend910B1) and the kernels that stand for them.
// Names and figures: the vendor's examples add_high_performance, bank_conflict_ub, reduce,
// data_copy, matmul_high_performance and matmul_basic_api_high_performance, and the guide's pages
// on matmul tuning.
#ifndef OPKIT_TESTS_CALIBRATION_CASES_H_
#define OPKIT_TESTS_CALIBRATION_CASES_H_

#include <functional>
#include <string>
#include <vector>

namespace calibration {

struct Case {
  std::string name;
  std::string what;
  double published;  // microseconds, of the whole task where that was published
  std::function<double()> predict;
};

std::vector<Case> vector_cases();
std::vector<Case> transfer_cases();
std::vector<Case> cube_cases();

}  // namespace calibration

#endif  // OPKIT_TESTS_CALIBRATION_CASES_H_
