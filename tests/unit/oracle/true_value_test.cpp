// Bounds against a second truth: what an operator means, in fifty digits of Boost.Multiprecision,
// lies inside every interval, and the interpreter's double is as near to it as double allows.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>
#include <random>

#include "opkit/oracle/rule.h"

namespace opkit::oracle {
namespace {

using graph::Node;
using reference::RefTensor;
using Real = boost::multiprecision::cpp_bin_float_50;

constexpr int64_t kRows = 5, kColumns = 33;

// Returns a float32 matrix of kRows rows and kColumns columns.
RefTensor matrix(uint64_t stream, double low, double high) {
  RefTensor tensor{DType::kFloat32, Shape{kRows, kColumns}, {}};
  std::mt19937_64 random(42 + stream);
  std::uniform_real_distribution<float> values(static_cast<float>(low), static_cast<float>(high));
  for (int64_t i = 0; i < kRows * kColumns; ++i) tensor.values.push_back(values(random));
  return tensor;
}

using Inputs = std::vector<RefTensor>;

struct TrueCase {
  const char* name;
  Node node;
  Inputs inputs;
  std::function<Real(const Inputs&, int64_t element)> truth;
};

// Returns the sum of f(x) over the row that the element lies in.
Real row_sum(const RefTensor& x, int64_t element, const std::function<Real(const Real&)>& f) {
  Real sum = 0;
  const int64_t row = element / kColumns * kColumns;
  for (int64_t c = 0; c < kColumns; ++c) sum += f(Real(x[row + c]));
  return sum;
}

Real softmax(const Inputs& in, int64_t i) {
  return exp(Real(in[0][i])) / row_sum(in[0], i, [](const Real& x) { return Real(exp(x)); });
}

Real sigmoid(const Inputs& in, int64_t i) { return 1 / (1 + exp(-Real(in[0][i]))); }

Real gelu(const Inputs& in, int64_t i) {
  const Real x = in[0][i], pi = boost::math::constants::pi<Real>();
  return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + Real("0.044715") * x * x * x)));
}

Real square_root_of_squares(const Inputs& in, int64_t) {
  Real sum = 0;
  for (int64_t i = 0; i < kRows * kColumns; ++i) sum += Real(in[0][i]) * in[0][i];
  return sqrt(sum);
}

// Returns an element of the product of x and the transposed y.
Real product(const Inputs& in, int64_t element) {
  Real sum = 0;
  const int64_t row = element / kRows * kColumns, column = element % kRows * kColumns;
  for (int64_t k = 0; k < kColumns; ++k) sum += Real(in[0][row + k]) * in[1][column + k];
  return sum;
}

std::vector<TrueCase> cases() {
  const RefTensor x = matrix(1, -3, 3), y = matrix(2, 0.25, 4);
  const auto of_x = [](Real (*f)(const Real&)) {
    return [f](const Inputs& in, int64_t i) { return f(Real(in[0][i])); };
  };
  const auto unary = [](const char* op) { return Node{op, {"x"}, {"z"}, {}, ""}; };
  return {
      {"Exp", unary("Exp"), {x}, of_x([](const Real& v) { return Real(exp(v)); })},
      {"Log", unary("Log"), {y}, of_x([](const Real& v) { return Real(log(v)); })},
      {"Sqrt", unary("Sqrt"), {y}, of_x([](const Real& v) { return Real(sqrt(v)); })},
      {"Tanh", unary("Tanh"), {x}, of_x([](const Real& v) { return Real(tanh(v)); })},
      {"Sigmoid", unary("Sigmoid"), {x}, sigmoid},
      {"Gelu", {"Gelu", {"x"}, {"z"}, {{"approximate", std::string("tanh")}}, ""}, {x}, gelu},
      {"Softmax", {"Softmax", {"x"}, {"z"}, {{"axis", int64_t{-1}}}, ""}, {x}, softmax},
      {"Div",
       {"Div", {"x", "y"}, {"z"}, {}, ""},
       {x, y},
       [](const Inputs& in, int64_t i) { return Real(in[0][i]) / in[1][i]; }},
      {"ReduceL2", unary("ReduceL2"), {x}, square_root_of_squares},
      {"Gemm", {"Gemm", {"x", "y"}, {"z"}, {{"transB", int64_t{1}}}, ""}, {x, y}, product},
  };
}

class TrueValue : public testing::TestWithParam<TrueCase> {};

TEST_P(TrueValue, LiesInsideAndNearTheInterpreters) {
  const TrueCase& one = GetParam();
  BoundedTensors tensors;
  for (size_t k = 0; k < one.inputs.size(); ++k)
    tensors[one.node.inputs[k]] = Bounded::exactly(one.inputs[k]);
  const Status done = evaluate_step(one.node, {}, false, tensors);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  const Bounded z = settle(tensors.at("z"), {});
  for (int64_t i = 0; i < z.value.elements(); ++i) {
    const Real truth = one.truth(one.inputs, i);
    ASSERT_LE(Real(z.at(i).lo), truth) << "element " << i;
    ASSERT_GE(Real(z.at(i).hi), truth) << "element " << i;
    ASSERT_LE(abs(Real(z.value[i]) - truth), Real(0x1p-40)) << "element " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, TrueValue, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

void PrintTo(const TrueCase& one, std::ostream* out) { *out << one.name; }

}  // namespace
}  // namespace opkit::oracle
