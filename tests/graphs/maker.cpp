#include "tests/graphs/maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"

namespace opkit::graph_tests {
namespace {

constexpr int64_t kMostElements = 4096;

const std::vector<Adder>& all_adders() {
  static const std::vector<Adder> kAll = [] {
    std::vector<Adder> all;
    for (const auto& family : {elementwise_adders(), reduction_adders(), shape_adders(),
                               indexing_adders(), window_adders(), resize_adders(), other_adders()})
      all.insert(all.end(), family.begin(), family.end());
    return all;
  }();
  return kAll;
}

}  // namespace

int64_t Maker::number(int64_t low, int64_t high) {
  if (high <= low) return low;
  return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
}

double Maker::fraction() {
  if (maybe(60)) return static_cast<double>(number(-8, 8)) / 4;
  return static_cast<double>(number(-2000000, 2000000)) / 1e6;
}

std::string Maker::value(size_t least_rank, size_t most_rank) {
  std::vector<std::string> fit;
  for (const std::string& name : floats_) {
    const size_t rank = shape(name).rank();
    if (rank >= least_rank && rank <= most_rank) fit.push_back(name);
  }
  if (fit.empty()) return "";
  return maybe(70) ? fit.back() : one_of(fit);
}

std::string Maker::list(const std::vector<double>& numbers, DType dtype) {
  const std::string name = fresh();
  graph_.add_constant(name, {dtype, Shape{static_cast<int64_t>(numbers.size())}, numbers});
  return name;
}

std::string Maker::integers(const Integers& numbers, DType dtype) {
  return list(std::vector<double>(numbers.begin(), numbers.end()), dtype);
}

std::string Maker::integers(const Integers& numbers, const Shape& shape) {
  const std::string name = fresh();
  graph_.add_constant(name,
                      {DType::kInt64, shape, std::vector<double>(numbers.begin(), numbers.end())});
  return name;
}

std::string Maker::scalar(double number, DType dtype) {
  const std::string name = fresh();
  graph_.add_constant(name, {dtype, Shape{}, {reference::rounded_to(dtype, number)}});
  return name;
}

std::string Maker::floats(const Shape& shape) { return floats(shape, -2, 2); }

std::string Maker::floats(const Shape& shape, double low, double high) {
  const std::string name = fresh();
  graph::RefTensor tensor{DType::kFloat32, shape, {}};
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const double number = low + (fraction() + 2) / 4 * (high - low);
    tensor.values.push_back(reference::rounded_to(DType::kFloat32, number));
  }
  graph_.add_constant(name, std::move(tensor));
  return name;
}

bool Maker::add(const std::string& op, std::vector<std::string> inputs, Attributes attributes,
                size_t outputs) {
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  Node node{op, std::move(inputs), {}, std::move(attributes)};
  std::vector<const graph::ValueInfo*> operands;
  for (const std::string& input : node.inputs)
    operands.push_back(input.empty() ? nullptr : &graph_.values.at(input));
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(fresh());
  const auto inferred = reference::infer_node(node, operands, opset_);
  if (!inferred.ok()) return false;
  for (const graph::ValueInfo& result : *inferred) {
    if (!result.shape || result.shape->elements() > kMostElements || result.shape->rank() > 5)
      return false;
  }
  graph_.nodes.push_back(node);
  for (size_t i = 0; i < outputs; ++i) {
    graph::ValueInfo result = (*inferred)[i];
    result.constant = nullptr;
    const std::string& name = node.outputs[i];
    graph_.values[name] = result;
    if (result.dtype == DType::kFloat32) {
      floats_.push_back(name);
    } else {
      graph_.outputs.push_back(name);
      add("Cast", {name}, {{"to", int64_t{1}}});
    }
  }
  return true;
}

int64_t Maker::axis(size_t rank, int negative_since) {
  const auto dims = static_cast<int64_t>(rank);
  return since(negative_since) && maybe(30) ? number(-dims, -1) : number(0, dims - 1);
}

Integers Maker::some_axes(size_t rank, int negative_since) {
  Integers axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  std::shuffle(axes.begin(), axes.end(), random_);
  axes.resize(static_cast<size_t>(number(1, static_cast<int64_t>(rank))));
  for (int64_t& one : axes) {
    if (since(negative_since) && maybe(30)) one -= static_cast<int64_t>(rank);
  }
  return axes;
}

void Maker::add_input() {
  const std::string name = "x" + std::to_string(graph_.inputs.size());
  Shape shape;
  const int64_t rank = one_of<int64_t>({1, 2, 2, 3, 3, 4, 4, 4, 4, 5});
  for (int64_t d = 0; d < rank; ++d) shape.dims().push_back(one_of<int64_t>({1, 2, 3, 4, 4, 5, 6}));
  if (rank > 2 && maybe(70)) shape[1] = one_of<int64_t>({2, 4});
  graph_.add_input(name, DType::kFloat32, shape);
  floats_.push_back(name);
}

Graph Maker::take(size_t operators) {
  graph_.name = "random";
  add_input();
  if (maybe(30)) add_input();
  constexpr int kMostTries = 200;
  for (int i = 0; i < kMostTries && graph_.nodes.size() < operators; ++i)
    one_of(all_adders())(*this);
  std::map<std::string, bool> read;
  for (const Node& node : graph_.nodes) {
    for (const std::string& input : node.inputs) read[input] = true;
  }
  for (const Node& node : graph_.nodes) {
    for (const std::string& output : node.outputs) {
      const auto& outputs = graph_.outputs;
      const bool there = std::find(outputs.begin(), outputs.end(), output) != outputs.end();
      if (!there && !read[output]) graph_.outputs.push_back(output);
    }
  }
  return std::move(graph_);
}

}  // namespace opkit::graph_tests
