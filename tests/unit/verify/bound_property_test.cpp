// The derived bound is neither wrong nor loose: kernels that compute in float32, in several orders,
// and round once stay inside it for every dtype and data class, and use a good part of it; the same
// kernels with truncation in place of rounding do not stay inside.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fake_executor.h"
#include "opkit/oracle/float_format.h"
#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

using Row = std::vector<float>;

enum class SumOrder { kForward, kBackward, kPairwise, kEightLanes };

float sum_of(const Row& terms, SumOrder order) {
  Row v = terms;
  if (v.empty()) return 0;
  if (order == SumOrder::kBackward) std::reverse(v.begin(), v.end());
  if (order == SumOrder::kEightLanes) {
    Row lanes(8, 0.0f);
    for (size_t i = 0; i < v.size(); ++i) lanes[i % 8] += v[i];
    v = lanes;
  }
  if (order == SumOrder::kPairwise) {
    while (v.size() > 1) {
      for (size_t i = 0; i + 1 < v.size(); i += 2) v[i / 2] = v[i] + v[i + 1];
      if (v.size() % 2 == 1) v[v.size() / 2] = v.back();
      v.resize((v.size() + 1) / 2);
    }
    return v[0];
  }
  float sum = 0;
  for (const float term : v) sum += term;
  return sum;
}

// Describes one row: x, y (may be empty) -> z; a row of one element for reductions.
struct Kernel {
  const char* name;
  const char* reference;
  const char* outputs;
  bool sums;
  std::function<Row(const Row& x, const Row& y, SumOrder order)> row;
};

Row each(const Row& x, const Row& y, const std::function<float(float, float)>& f) {
  Row z(x.size());
  for (size_t i = 0; i < x.size(); ++i) z[i] = f(x[i], y[i]);
  return z;
}

std::vector<Kernel> kernels() {
  return {
      {"Add", "{op: Add, in: [x, y], out: z}", "M, N", false,
       [](const Row& x, const Row& y, SumOrder) {
         return each(x, y, [](float a, float b) { return a + b; });
       }},
      {"Mul", "{op: Mul, in: [x, y], out: z}", "M, N", false,
       [](const Row& x, const Row& y, SumOrder) {
         return each(x, y, [](float a, float b) { return a * b; });
       }},
      {"MulAddRelu",
       "{op: Mul, in: [x, y], out: p}, {op: Add, in: [p, x], out: s}, {op: Relu, in: [s], out: z}",
       "M, N", false,
       [](const Row& x, const Row& y, SumOrder) {
         return each(x, y, [](float a, float b) {
           const float s = a * b + a;
           return std::isnan(s) ? s : std::max(s, 0.0f);
         });
       }},
      {"SigmoidMul", "{op: Sigmoid, in: [x], out: s}, {op: Mul, in: [s, y], out: z}", "M, N", false,
       [](const Row& x, const Row& y, SumOrder) {
         return each(x, y, [](float a, float b) { return b * (1.0f / (1.0f + std::exp(-a))); });
       }},
      {"Dot",
       "{op: Mul, in: [x, y], out: p}, {op: ReduceSum, in: [p, {const: [-1], dtype: int64}], "
       "out: z}",
       "M, 1", true,
       [](const Row& x, const Row& y, SumOrder order) {
         return Row{sum_of(each(x, y, [](float a, float b) { return a * b; }), order)};
       }},
      {"SoftmaxMul", "{op: Softmax, in: [x], out: s}, {op: Mul, in: [s, y], out: z}", "M, N", true,
       [](const Row& x, const Row& y, SumOrder order) {
         const float most = *std::max_element(x.begin(), x.end());
         Row e(x.size());
         for (size_t i = 0; i < x.size(); ++i) e[i] = std::exp(x[i] - most);
         const float sum = sum_of(e, order);
         for (size_t i = 0; i < x.size(); ++i) e[i] = e[i] / sum * y[i];
         return e;
       }},
  };
}

OpContract contract_for(const Kernel& kernel) {
  auto parsed = OpContract::parse(std::string("op: ") + kernel.name + R"(
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N"}
  y: {dtype: T, shape: "M, N"}
outputs:
  z: {dtype: T, shape: ")" + kernel.outputs +
                                      R"("}
types: {T: [float16, float32, bfloat16]}
where: {C1: "M >= 1", C2: "N >= 1"}
reference: [)" + kernel.reference + "]\nnumeric: {accumulate: float32}\n",
                                  "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << kernel.name << ": " << parsed.error().to_string();
  return std::move(parsed).value();
}

double truncated(DType dtype, double x) {
  const double nearest = oracle::round_to(dtype, x, false);
  if (!std::isfinite(nearest) || std::abs(nearest) <= std::abs(x)) return nearest;
  return x > 0 ? oracle::next_down(dtype, nearest) : oracle::next_up(dtype, nearest);
}

struct Use {
  std::vector<int64_t> tenths = std::vector<int64_t>(11, 0);
  int64_t failed = 0, judged = 0;
  std::string first;
  int64_t all() const {
    int64_t sum = 0;
    for (const int64_t n : tenths) sum += n;
    return sum;
  }
};

FakeExecutor executor_of(const Kernel& kernel, SumOrder order, bool truncate) {
  return FakeExecutor([&kernel, order, truncate](FakeCall& call) {
    const int64_t rows = call.in(0).shape()[0], columns = call.in(0).shape()[1];
    for (int64_t r = 0; r < rows; ++r) {
      Row x, y;
      for (int64_t c = 0; c < columns; ++c) {
        x.push_back(static_cast<float>(call.in(0).at(r * columns + c)));
        y.push_back(static_cast<float>(call.in(1).at(r * columns + c)));
      }
      const Row z = kernel.row(x, y, order);
      const auto width = static_cast<int64_t>(z.size());
      for (int64_t c = 0; c < width; ++c) {
        const double value = z[static_cast<size_t>(c)];
        call.out().set(r * width + c, truncate ? truncated(call.out().dtype(), value) : value);
      }
    }
  });
}

void take(const OpContract& contract, FakeExecutor& executor, const std::string& dtype,
          DataClass data, int seed, Use& use) {
  const char* shapes[] = {"M=3,N=1", "M=5,N=17", "M=2,N=300"};
  const auto problem =
      parse_line(contract, "--t T=" + dtype + " --d " + shapes[seed % 3] + " --data " +
                               std::string(name_of(data)) + " --seed " + std::to_string(seed) +
                               " --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const ProblemResult result = judge(contract, executor, *problem);
  ++use.judged;
  if (result.verdict == Verdict::kFailed) {
    ++use.failed;
    if (use.first.empty()) use.first = result.line + ": " + result.reason;
  }
  for (const oracle::Comparison& comparison : result.outputs) {
    for (size_t i = 0; i < use.tenths.size(); ++i) use.tenths[i] += comparison.bound_used[i];
  }
}

Use run(const Kernel& kernel, const std::string& dtype, bool truncate) {
  const OpContract contract = contract_for(kernel);
  Use use;
  for (const SumOrder order :
       {SumOrder::kForward, SumOrder::kBackward, SumOrder::kPairwise, SumOrder::kEightLanes}) {
    if (!kernel.sums && order != SumOrder::kForward) continue;
    FakeExecutor executor = executor_of(kernel, order, truncate);
    for (const DataClass data : all_data_classes()) {
      for (int seed = 1; seed <= 6; ++seed) take(contract, executor, dtype, data, seed, use);
    }
  }
  return use;
}

class BoundProperty : public testing::TestWithParam<const char*> {};

TEST_P(BoundProperty, CorrectKernelsStayInsideAndUseIt) {
  for (const Kernel& kernel : kernels()) {
    const Use use = run(kernel, GetParam(), false);
    EXPECT_EQ(use.failed, 0) << use.failed << " of " << use.judged << "; " << use.first;
    // One correctly rounded operation has one right answer: there is no bound to use.
    if (std::string(kernel.name) == "Add" || std::string(kernel.name) == "Mul") {
      EXPECT_EQ(use.all(), 0) << kernel.name;
      continue;
    }
    // Stored narrow, most results have one right answer, too.
    if (std::string(GetParam()) == "float32") {
      EXPECT_GT(use.all(), 0) << kernel.name;
    }
    std::string line = std::string(kernel.name) + " " + GetParam() + ":";
    for (const int64_t n : use.tenths) line += " " + std::to_string(n);
    std::puts(line.c_str());
    // Some result takes nearly half of it; of sums, whose worst case needs every rounding in one
    // direction, a fifth.
    int64_t used = 0;
    for (size_t i = kernel.sums ? 2 : 4; i < use.tenths.size(); ++i) used += use.tenths[i];
    if (use.all() > 0) {
      EXPECT_GT(used, 0) << kernel.name << " " << GetParam() << ": the bound is loose";
    }
    EXPECT_EQ(use.tenths.back(), 0);
  }
}

TEST_P(BoundProperty, TruncationIsDetected) {
  for (const Kernel& kernel : kernels()) {
    // A store that does not narrow truncates what is already a float32.
    if (std::string(GetParam()) == "float32") continue;
    const Use use = run(kernel, GetParam(), true);
    EXPECT_GT(use.failed, use.judged / 3) << kernel.name << " " << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, BoundProperty, testing::Values("float16", "float32", "bfloat16"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit::verify
