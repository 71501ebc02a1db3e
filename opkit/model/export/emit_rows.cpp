// Operators that bring elements of rows together.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/strides.h"

namespace opkit::model_export {
namespace {

// Elements before, along and behind an axis; with `to_end`, all behind it count as along.
struct Rows {
  int64_t outer = 1, along = 1, inner = 1;
};
Rows rows_of(const Shape& shape, size_t axis, bool to_end) {
  Rows rows;
  for (size_t d = 0; d < shape.rank(); ++d)
    (d < axis ? rows.outer : d == axis || to_end ? rows.along : rows.inner) *= shape[d];
  return rows;
}

Result<std::string> emit_softmax(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  const bool old = node.opset() < 13;
  const Rows rows = rows_of(node.in().shape, node.axis(old ? 1 : -1, node.in().shape.rank()), old);
  return fmt::format("softmax({}, {}, {}, {}, {}, {});\n", rows.outer, rows.along, rows.inner,
                     node.op() == "LogSoftmax", node.in().name, node.out().name);
}

Result<std::string> emit_layer_norm(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  if (node.wants(1) || node.wants(2)) return node.refused("its mean or deviation is wanted");
  const Rows rows = rows_of(node.in().shape, node.axis(-1, node.in().shape.rank()), true);
  for (size_t i = 1; i < node.inputs(); ++i) {
    if (node.has(i) && node.in(i).shape.elements() != rows.along)
      return node.refused("its scale or bias has other dims than what is normalized");
  }
  return fmt::format("layer_norm({}, {}, {}, {}, {}, {}, {});\n", rows.outer, rows.along,
                     float_code(node.number("epsilon", 1e-5)), node.in().name, node.in(1).name,
                     node.has(2) ? node.in(2).name : "nullptr", node.out().name);
}

Result<std::string> emit_batch_norm(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  if (node.integer("training_mode", 0) != 0 || node.wants(1))
    return node.refused("it is in training mode");
  const Rows rows = rows_of(node.in().shape, 1, false);
  return fmt::format("batch_norm({}, {}, {}, {}, {}, {}, {}, {}, {}, {});\n", rows.outer,
                     rows.along, rows.inner, float_code(node.number("epsilon", 1e-5)),
                     node.in(0).name, node.in(1).name, node.in(2).name, node.in(3).name,
                     node.in(4).name, node.out().name);
}

struct Reducing {
  std::string_view op, add, finish;  // expressions of sum and v; of sum and n
  std::string_view start = "0.0";
};
constexpr Reducing kReductions[] = {
    {"ReduceSum", "sum + v", "sum"},
    {"ReduceMean", "sum + v", "sum / n"},
    {"ReduceProd", "sum * v", "sum", "1.0"},
    {"ReduceMax", "v > sum || v != v ? v : sum", "sum", "-kInfinity"},
    {"ReduceMin", "v < sum || v != v ? v : sum", "sum", "kInfinity"},
    {"ReduceL1", "sum + std::fabs(v)", "sum"},
    {"ReduceL2", "sum + v * v", "std::sqrt(sum)"},
    {"ReduceSumSquare", "sum + v * v", "sum"},
    {"ReduceLogSum", "sum + v", "std::log(sum)"}};

Result<std::string> emit_reduce(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats_of_data());
  const Shape& shape = node.in().shape;
  const auto rank = static_cast<int64_t>(shape.rank());
  std::vector<int64_t> axes = node.integers("axes", {});
  if (node.has(1)) {
    OPKIT_TRY(axes, node.constant_integers(1));
  }
  if (axes.empty() && node.integer("noop_with_empty_axes", 0) != 0)
    return node.refused("it reduces nothing");
  std::set<int64_t> gone;
  for (const int64_t axis : axes) gone.insert(axis < 0 ? axis + rank : axis);
  for (int64_t d = 0; d < rank && axes.empty(); ++d) gone.insert(d);
  const Strides own = dense_steps(shape.dims());
  WalkOver kept{{}, {{}}}, reduced{{}, {{}}};
  for (size_t d = 0; d < shape.rank(); ++d) {
    WalkOver& walk = gone.count(static_cast<int64_t>(d)) > 0 ? reduced : kept;
    walk.dims.push_back(shape[d]);
    walk.steps[0].push_back(own[d]);
  }
  kept = shortest(std::move(kept));
  reduced = shortest(std::move(reduced));
  const auto* one = std::find_if(std::begin(kReductions), std::end(kReductions),
                                 [&](const Reducing& all) { return all.op == node.op(); });
  return fmt::format(
      "reduce({}, {}, {}, {}, {}, {}, {},\n       [](double sum, double v) {{ return {}; }},\n"
      "       [](double sum, [[maybe_unused]] double n) {{ return {}; }});\n",
      dims_code(kept.dims), dims_code(kept.steps[0]), dims_code(reduced.dims),
      dims_code(reduced.steps[0]), one->start, node.in().name, node.out().name, one->add,
      one->finish);
}

Result<std::string> emit_arg(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats_of_data());
  const Rows rows = rows_of(node.in().shape, node.axis(0, node.in().shape.rank()), false);
  return fmt::format("arg_extreme({}, {}, {}, {}, {}, {}, {});\n", rows.outer, rows.along,
                     rows.inner, node.op() == "ArgMax", node.integer("select_last_index", 0) != 0,
                     node.in().name, node.out().name);
}

}  // namespace

const std::vector<OperatorSource>& row_sources() {
  static const std::vector<OperatorSource> kSources = [] {
    std::vector<OperatorSource> all = {{"Softmax", emit_softmax},
                                       {"LogSoftmax", emit_softmax},
                                       {"ArgMax", emit_arg},
                                       {"ArgMin", emit_arg},
                                       {"LayerNormalization", emit_layer_norm},
                                       {"BatchNormalization", emit_batch_norm}};
    for (const Reducing& one : kReductions) all.push_back({one.op, emit_reduce});
    return all;
  }();
  return kSources;
}

}  // namespace opkit::model_export
