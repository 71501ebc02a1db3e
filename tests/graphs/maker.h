// Random graphs of a stated operators' version: 1 to 8 operators with the attributes and operands
// that the ONNX operator history gives them in that version.
#ifndef TESTS_GRAPHS_MAKER_H_
#define TESTS_GRAPHS_MAKER_H_

#include <map>
#include <random>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::graph_tests {

using graph::Attribute;
using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;
using Attributes = std::map<std::string, Attribute>;

class Maker {
 public:
  Maker(uint64_t seed, int opset) : random_(seed), opset_(opset) { graph_.opset = opset; }

  int opset() const { return opset_; }
  bool since(int version) const { return opset_ >= version; }

  // Low to high, both included; low when there is nothing between.
  int64_t number(int64_t low, int64_t high);
  bool maybe(int percent = 50) { return number(1, 100) <= percent; }
  double fraction();  // -2 to 2, often a multiple of 1/4
  template <typename T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<size_t>(number(0, static_cast<int64_t>(all.size()) - 1))];
  }

  // A float32 value of the graph with at least and at most that many dims; empty when none is.
  std::string value(size_t least_rank = 0, size_t most_rank = 9);
  Shape shape(const std::string& name) const { return *graph_.values.at(name).shape; }
  DType dtype(const std::string& name) const { return graph_.values.at(name).dtype; }

  std::string integers(const Integers& numbers, DType dtype = DType::kInt64);
  std::string integers(const Integers& numbers, const Shape& shape);
  std::string scalar(double number, DType dtype = DType::kFloat32);
  std::string floats(const Shape& shape);
  std::string floats(const Shape& shape, double low, double high);
  std::string list(const std::vector<double>& numbers, DType dtype);

  // Adds the node when inference takes it; whether it did. Its float32 results may be read by what
  // follows; others are cast.
  bool add(const std::string& op, std::vector<std::string> inputs, Attributes attributes = {},
           size_t outputs = 1);

  // Axes in random order, some of them negative where the version has that.
  Integers some_axes(size_t rank, int negative_since);
  int64_t axis(size_t rank, int negative_since);

  // The graph with at most that many operators, without those that nothing reads.
  Graph take(size_t operators);

 private:
  std::string fresh() { return "v" + std::to_string(++names_); }
  void add_input();

  std::mt19937_64 random_;
  const int opset_;
  Graph graph_;
  std::vector<std::string> floats_;  // values that operators may read
  size_t names_ = 0;
};

// Adds one operator, or nothing when no value suits it.
using Adder = bool (*)(Maker&);
const std::vector<Adder>& elementwise_adders();
const std::vector<Adder>& reduction_adders();
const std::vector<Adder>& shape_adders();
const std::vector<Adder>& indexing_adders();
const std::vector<Adder>& window_adders();
const std::vector<Adder>& resize_adders();
const std::vector<Adder>& other_adders();

}  // namespace opkit::graph_tests

#endif  // TESTS_GRAPHS_MAKER_H_
