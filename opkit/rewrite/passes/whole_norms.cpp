// Normalizations of rows.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/whole_samples.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr int64_t kMostColumns = 8192;
constexpr double kMostEpsilon = 0.1;
// Sizes of rows: squares lie above, about and below every epsilon, which tells where it is added.
constexpr double kSizes[] = {1, 30, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

RefTensor drawn_rows(int64_t columns) {
  RefTensor rows{DType::kFloat32, Shape{static_cast<int64_t>(std::size(kSizes)), columns}, {}};
  int64_t i = 0;
  for (const double size : kSizes) {
    const double mean = i % 2 == 0 ? 0.3 : -1;
    for (int64_t c = 0; c < columns; ++c, ++i)
      rows.values.push_back(size * (std::sin(static_cast<double>(i * i % 7919)) * 2 + mean));
  }
  return rows;
}

// Rows less their mean, or as they are, over their root mean square.
struct Normal {
  std::vector<double> values;
  std::vector<double> most;  // holds the largest of each row
};

Normal normal(const RefTensor& rows, bool centres, double epsilon) {
  const auto columns = static_cast<size_t>(rows.shape[1]);
  Normal out{rows.values, {}};
  for (size_t r = 0; r < std::size(kSizes); ++r) {
    double* const row = out.values.data() + r * columns;
    double mean = 0, squares = 0, most = 0;
    for (size_t c = 0; c < columns; ++c) mean += row[c] / static_cast<double>(columns);
    for (size_t c = 0; centres && c < columns; ++c) row[c] -= mean;
    for (size_t c = 0; c < columns; ++c) squares += row[c] * row[c];
    const double root = std::sqrt(squares / static_cast<double>(columns) + epsilon);
    for (size_t c = 0; c < columns; ++c) row[c] /= root;
    for (size_t c = 0; c < columns; ++c) most = std::max(most, std::abs(row[c]));
    out.most.push_back(most);
  }
  return out;
}

// Tells whether rows are normal ones times a list, plus another one: null is none. Both are
// computed in double from the same constants, so that lists that differ at all are told apart.
bool are_scaled(const std::vector<double>& got, const Normal& rows,
                const std::vector<double>& scale, const std::vector<double>* bias) {
  constexpr double kShare = 1e-9, kShareOfBias = 1e-12;
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t c = i % scale.size();
    const double shift = bias == nullptr ? 0 : (*bias)[c];
    const double off = std::abs(got[i] - (rows.values[i] * scale[c] + shift));
    const double most = kShare * std::abs(scale[c]) * rows.most[i / scale.size()];
    if (!(off <= most + kShareOfBias * std::abs(shift))) return false;
  }
  return true;
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
    size_t last = 0;
    const std::set<double> numbers(all_.numbers().begin(), all_.numbers().end());
    for (const double epsilon : numbers) {
      if (!(epsilon > 0) || epsilon > kMostEpsilon) continue;
      const Normal plain = normal(rows_, false, epsilon), centred = normal(rows_, true, epsilon);
      for (size_t i = 0; i < all_.order().size(); ++i) {
        if (i < last || all_.at(all_.order()[i]).shape != rows_.shape) continue;
        auto one = try_result(all_.order()[i], epsilon, plain, centred);
        if (!one) continue;
        found = std::move(one);
        last = i;
      }
    }
    return found;
  }

 private:
  // Lists that the graph has, and one that does nothing, by the empty name.
  std::vector<std::string> lists() const {
    std::vector<std::string> names = all_.lists();
    names.push_back("");
    return names;
  }

  std::vector<double> numbers_of(const std::string& list, double otherwise) const {
    if (!list.empty()) return graph_.constant(list)->values;
    return std::vector<double>(static_cast<size_t>(rows_.shape[1]), otherwise);
  }

  std::optional<Composed> try_result(const std::string& result, double epsilon, const Normal& plain,
                                     const Normal& centred) const {
    const std::vector<double>& got = all_.at(result).values;
    for (const std::string& scale : lists()) {
      const std::vector<double> factors = numbers_of(scale, 1);
      if (are_scaled(got, plain, factors, nullptr))
        return made("RMSNormalization", result, epsilon, {{scale, 1}});
      for (const std::string& bias : lists()) {
        const std::vector<double> shifts = numbers_of(bias, 0);
        if (are_scaled(got, centred, factors, &shifts))
          return made("LayerNormalization", result, epsilon, {{scale, 1}, {bias, 0}});
      }
    }
    return std::nullopt;
  }

  // A list, and what it has everywhere when its name is empty.
  struct List {
    std::string name;
    double otherwise;
  };

  Composed made(const char* op, const std::string& result, double epsilon,
                const std::vector<List>& lists) const {
    Composed one{{op, {value_}, {result}, {{"axis", int64_t{-1}}, {"epsilon", epsilon}}}};
    for (const List& list : lists) {
      const bool known = !list.name.empty();
      const RefTensor* tensor = known ? graph_.constant(list.name) : nullptr;
      std::string name = list.name;
      if (!known || tensor->shape.rank() != 1) {
        name = known ? name + "/list" : result + (list.otherwise == 1 ? "/ones" : "/zeros");
        const DType dtype = known ? tensor->dtype : dtype_of(graph_, value_);
        one.constants[name] = {dtype, Shape{rows_.shape[1]}, numbers_of(list.name, list.otherwise)};
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
