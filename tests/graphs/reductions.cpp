// Operators along axes.
#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

bool softmax(Maker& make) {
  static const std::vector<const char*> kOps = {"Softmax", "LogSoftmax", "Hardmax"};
  const std::string x = make.value(2);
  if (x.empty()) return false;
  Attributes attributes;
  if (make.maybe(70)) attributes["axis"] = make.axis(make.shape(x).rank(), 11);
  return make.add(make.one_of(kOps), {x}, attributes);
}

// Axes are an operand of ReduceSum since version 13, of the others since 18.
bool reduce(Maker& make) {
  static const std::vector<const char*> kOps = {"ReduceSum", "ReduceMean",      "ReduceMax",
                                                "ReduceMin", "ReduceProd",      "ReduceL1",
                                                "ReduceL2",  "ReduceSumSquare", "ReduceLogSumExp"};
  const std::string x = make.value(1), op = make.one_of(kOps);
  if (x.empty()) return false;
  const bool operand = make.since(op == "ReduceSum" ? 13 : 18);
  std::vector<std::string> inputs = {x};
  Attributes attributes;
  if (make.maybe()) attributes["keepdims"] = make.number(0, 1);
  if (operand && make.maybe(40)) attributes["noop_with_empty_axes"] = make.number(0, 1);
  if (make.maybe(75)) {
    const Integers axes = make.some_axes(make.shape(x).rank(), 11);
    if (operand) inputs.push_back(make.integers(axes));
    if (!operand) attributes["axes"] = axes;
  } else if (operand && make.maybe()) {
    inputs.push_back(make.integers({}));
  }
  return make.add(op, inputs, attributes);
}

bool arg(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Attributes attributes;
  if (make.maybe(70)) attributes["axis"] = make.axis(make.shape(x).rank(), 11);
  if (make.maybe()) attributes["keepdims"] = make.number(0, 1);
  if (make.since(12) && make.maybe()) attributes["select_last_index"] = make.number(0, 1);
  return make.add(make.maybe() ? "ArgMax" : "ArgMin", {x}, attributes);
}

// k is an operand since version 10.
bool top_k(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  const size_t rank = make.shape(x).rank();
  const int64_t axis = make.axis(rank, 11);
  const int64_t dim =
      make.shape(x)[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis)];
  const int64_t k = make.number(1, dim);
  Attributes attributes = {{"axis", axis}};
  if (make.since(11) && make.maybe()) attributes["largest"] = make.number(0, 1);
  if (make.since(11) && make.maybe()) attributes["sorted"] = int64_t{1};
  if (make.since(10)) return make.add("TopK", {x, make.integers({k})}, attributes, 2);
  attributes["k"] = k;
  return make.add("TopK", {x}, attributes, 2);
}

bool cumulative(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || !make.since(11)) return false;
  Attributes attributes;
  if (make.maybe()) attributes["exclusive"] = make.number(0, 1);
  if (make.maybe()) attributes["reverse"] = make.number(0, 1);
  const int64_t axis = make.axis(make.shape(x).rank(), 11);
  return make.add("CumSum",
                  {x, make.maybe() ? make.integers({axis})
                                   : make.scalar(static_cast<double>(axis), DType::kInt32)},
                  attributes);
}

bool norm_along(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Attributes attributes;
  if (make.maybe()) attributes["axis"] = make.axis(make.shape(x).rank(), 11);
  if (make.maybe()) attributes["p"] = make.number(1, 2);
  return make.add("LpNormalization", {x}, attributes);
}

bool mean_variance(Maker& make) {
  const std::string x = make.value(4, 4);
  if (x.empty() || !make.since(9)) return false;
  Attributes attributes;
  if (make.maybe()) attributes["axes"] = Integers{0, 2, 3};
  return make.add("MeanVarianceNormalization", {x}, attributes);
}

bool layer_norm(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || !make.since(17)) return false;
  const Shape shape = make.shape(x);
  const auto axis = static_cast<size_t>(make.number(0, static_cast<int64_t>(shape.rank()) - 1));
  const Shape tail(Integers(shape.dims().begin() + static_cast<int64_t>(axis), shape.dims().end()));
  Attributes attributes;
  if (axis + 1 != shape.rank() || make.maybe())
    attributes["axis"] =
        static_cast<int64_t>(axis) - (make.maybe() ? static_cast<int64_t>(shape.rank()) : 0);
  if (make.maybe()) attributes["epsilon"] = 0.25;
  return make.add("LayerNormalization",
                  {x, make.floats(tail), make.maybe() ? make.floats(tail) : ""}, attributes);
}

}  // namespace

const std::vector<Adder>& reduction_adders() {
  static const std::vector<Adder> kAdders = {softmax,    softmax,       reduce,    reduce,
                                             reduce,     arg,           top_k,     cumulative,
                                             norm_along, mean_variance, layer_norm};
  return kAdders;
}

}  // namespace opkit::graph_tests
