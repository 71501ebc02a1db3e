#include "tests/onnx/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opkit::onnx_tests {
namespace {

namespace fs = std::filesystem;
using reference::RefTensor;

// Spacing of the dtype at 1.
double epsilon_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return 0x1p-10;
    case DType::kBFloat16: return 0x1p-7;
    case DType::kFloat32: return 0x1p-23;
    default: return 0x1p-52;
  }
}

double largest_magnitude(const RefTensor& tensor) {
  double largest = 0;
  for (double v : tensor.values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

// What a case's expected values lack in accuracy beyond the rounding of their dtype, absolute.
//
// The *window cases: their expected values were made with 3.1415 for pi, which is 9.3e-5 less. A
// window is a - b cos(2 pi x) + c cos(4 pi x) with x in 0..1, b <= 0.5, c <= 0.08, so its values
// move by at most 9.3e-5 * (2 b + 4 c) < 1.3e-4.
//
// test_gridsample_bicubic: its expected values were written down with four decimals.
// test_roialign*: so were the pixels, whose mean with weights of sum 1 is expected.
double inaccuracy_of(const Case& test) {
  if (test.suite == "node" && test.name == "test_gridsample_bicubic") return 5e-5;
  if (test.suite == "node" && test.name.starts_with("test_roialign")) return 1e-4;
  for (const char* window : {"test_blackmanwindow", "test_hammingwindow", "test_hannwindow"}) {
    if (test.suite == "node" && test.name.starts_with(window)) return 1.3e-4;
  }
  return 0;
}

bool close(double got, double wanted, double tolerance) {
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  if (std::isinf(wanted) || std::isinf(got)) return got == wanted;
  return std::abs(got - wanted) <= tolerance;
}

// Floats may differ by eight spacings (the expected values went through a handful of rounded
// operations) and by one spacing of the largest value (where terms of that size cancelled).
std::string difference(const RefTensor& got, const RefTensor& wanted, double inaccuracy) {
  if (got.dtype != wanted.dtype) {
    return fmt::format("dtype {} instead of {}", name_of(got.dtype), name_of(wanted.dtype));
  }
  if (got.shape != wanted.shape) {
    return fmt::format("shape {} instead of {}", got.shape.to_string(), wanted.shape.to_string());
  }
  const double epsilon = is_float(wanted.dtype) ? epsilon_of(wanted.dtype) : 0;
  const double floor = epsilon * largest_magnitude(wanted) + inaccuracy;
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const double tolerance = 8 * epsilon * std::abs(wanted[i]) + floor;
    if (close(got[i], wanted[i], tolerance)) continue;
    return fmt::format("element {}: {:.9g} instead of {:.9g} ({:.1f} tolerances)", i, got[i],
                       wanted[i], std::abs(got[i] - wanted[i]) / tolerance);
  }
  return "";
}

Outcome compare(const reference::NamedTensors& got, const reference::NamedTensors& expected,
                double inaccuracy) {
  for (const auto& [name, wanted] : expected) {
    const std::string text = difference(got.at(name), wanted, inaccuracy);
    if (!text.empty()) return {Verdict::kFailed, fmt::format("output {}: {}", name, text)};
  }
  return {};
}

}  // namespace

Outcome run(const Case& test) {
  if (!test.unsupported.empty()) return {Verdict::kNotImplemented, test.unsupported};
  for (const DataSet& data : test.data) {
    const auto got = reference::evaluate(test.graph, data.inputs, {reference::Precision::kRounded});
    if (!got.ok()) {
      const bool refused = got.error().code == "OPK-REF-011";
      return {refused ? Verdict::kNotImplemented : Verdict::kFailed,
              refused ? got.error().message : got.error().to_string()};
    }
    const Outcome outcome = compare(*got, data.expected, inaccuracy_of(test));
    if (outcome.verdict != Verdict::kPassed) return outcome;
  }
  return {};
}

fs::path data_folder() { return "/usr/share/libonnx-testdata/data"; }

std::vector<fs::path> folders_of(const std::string& suite) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::path& entry : fs::directory_iterator(data_folder() / suite, ignored)) {
    if (fs::exists(entry / "model.onnx")) folders.push_back(entry);
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

const std::vector<std::string>& suites() {
  static const std::vector<std::string> names = {"node", "pytorch-converted", "pytorch-operator",
                                                 "simple"};
  return names;
}

}  // namespace opkit::onnx_tests
