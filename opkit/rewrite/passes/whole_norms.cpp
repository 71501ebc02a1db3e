// Normalizations of rows.
#include <cmath>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/whole_samples.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr int64_t kRows = 2, kMostColumns = 8192;
constexpr double kMostEpsilon = 0.1;

RefTensor drawn_rows(int64_t columns) {
  RefTensor rows{DType::kFloat32, Shape{kRows, columns}, {}};
  for (int64_t i = 0; i < kRows * columns; ++i)
    rows.values.push_back(std::sin(static_cast<double>(i * i % 7919)) * 2 +
                          (i < columns ? 0.3 : -1));
  return rows;
}

// Rows less their mean, or as they are, over their root mean square.
std::vector<double> normal(const RefTensor& rows, bool centres, double epsilon) {
  const int64_t columns = rows.shape[1];
  std::vector<double> out = rows.values;
  for (int64_t r = 0; r < kRows; ++r) {
    double* const row = out.data() + r * columns;
    double mean = 0, squares = 0;
    for (int64_t c = 0; c < columns; ++c) mean += row[c] / static_cast<double>(columns);
    for (int64_t c = 0; centres && c < columns; ++c) row[c] -= mean;
    for (int64_t c = 0; c < columns; ++c) squares += row[c] * row[c];
    const double root = std::sqrt(squares / static_cast<double>(columns) + epsilon);
    for (int64_t c = 0; c < columns; ++c) row[c] /= root;
  }
  return out;
}

std::vector<double> times(std::vector<double> rows, const std::vector<double>& list) {
  for (size_t i = 0; i < rows.size(); ++i) rows[i] *= list[i % list.size()];
  return rows;
}
std::vector<double> plus(std::vector<double> rows, const std::vector<double>& list) {
  for (size_t i = 0; i < rows.size(); ++i) rows[i] += list[i % list.size()];
  return rows;
}

bool reads_means(const Graph& graph, const Readers& readers, const std::string& value) {
  for (const size_t n : readers.of(value)) {
    const std::string& op = graph.nodes[n].op_type;
    if (op == "ReduceMean" || op == "Mul" || op == "Pow") return true;
  }
  return false;
}

class NormSearch {
 public:
  NormSearch(const Graph& graph, const Readers& readers, const std::string& value, int64_t columns)
      : graph_(graph),
        value_(value),
        rows_(drawn_rows(columns)),
        all_(graph, readers, value, rows_) {}

  // The last value that is one: a bias that follows is part of it.
  std::optional<Composed> run() const {
    std::optional<Composed> found;
    for (const std::string& result : all_.order()) {
      if (all_.at(result).shape != rows_.shape) continue;
      for (const double epsilon : all_.numbers()) {
        if (!(epsilon > 0) || epsilon > kMostEpsilon) continue;
        if (auto one = try_result(result, epsilon)) found = std::move(one);
      }
    }
    return found;
  }

 private:
  std::optional<Composed> try_result(const std::string& result, double epsilon) const {
    const std::vector<double>& got = all_.at(result).values;
    const DType dtype = dtype_of(graph_, value_);
    for (const std::string& scale : all_.lists()) {
      const std::vector<double>& factors = graph_.constant(scale)->values;
      if (are_alike(dtype, got, times(normal(rows_, false, epsilon), factors)))
        return made("RMSNormalization", result, epsilon, {scale});
      const std::vector<double> scaled = times(normal(rows_, true, epsilon), factors);
      for (const std::string& bias : all_.lists()) {
        if (are_alike(dtype, got, plus(scaled, graph_.constant(bias)->values)))
          return made("LayerNormalization", result, epsilon, {scale, bias});
      }
    }
    return std::nullopt;
  }

  Composed made(const char* op, const std::string& result, double epsilon,
                const std::vector<std::string>& lists) const {
    Composed one{{op, {value_}, {result}, {{"axis", int64_t{-1}}, {"epsilon", epsilon}}}};
    for (const std::string& list : lists) {
      const RefTensor& tensor = *graph_.constant(list);
      std::string name = list;
      if (tensor.shape.rank() != 1) {
        name += "/list";
        one.constants[name] = {tensor.dtype, Shape{tensor.elements()}, tensor.values};
      }
      one.node.inputs.push_back(name);
    }
    return one;
  }

  const Graph& graph_;
  const std::string& value_;
  const RefTensor rows_;
  const Consequences all_;
};

}  // namespace

std::optional<Composed> whole_norm(const Graph& graph, const Readers& readers,
                                   const std::string& value) {
  const Shape* shape = shape_of(graph, value);
  if (!is_float(dtype_of(graph, value)) || shape == nullptr || shape->rank() == 0 ||
      readers.of(value).size() < 2 || !reads_means(graph, readers, value))
    return std::nullopt;
  const int64_t columns = (*shape)[shape->rank() - 1];
  if (columns < 2 || columns > kMostColumns) return std::nullopt;
  return NormSearch(graph, readers, value, columns).run();
}

}  // namespace opkit::passes
