// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// Scores are [N, C, d...], labels [N, d...].
struct ScoreLayout {
  int64_t classes, plane;
  int64_t score(int64_t label_position, int64_t label) const {
    return (label_position / plane * classes + label) * plane + label_position % plane;
  }
};

Status check_layout(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  const Shape& scores = call.input(0).shape;
  Shape expected = scores;
  expected.dims().erase(expected.dims().begin() + 1);
  if (call.input(1).shape != expected) {
    return call.shape_error("labels must have shape " + expected.to_string());
  }
  if (call.has_input(2)) {
    OPKIT_TRY(const int64_t weights, call.input(2).shape.checked_elements());
    if (weights != scores[1]) return call.shape_error("weights must have one value per class");
  }
  return {};
}

ScoreLayout layout_of(const OperatorCall& call) {
  const Shape& scores = call.input(0).shape;
  return {scores[1], product(scores, 2, scores.rank())};
}

RefTensor scalar(DType dtype, double value) { return {dtype, Shape{}, {value}}; }

// loss = -weight[label] * log_prob[label]; ignored labels count nothing, not even in the mean.
Result<RefTensor> likelihood_loss(const OperatorCall& call, const ScoreLayout& layout,
                                  const RefTensor& log_probabilities) {
  OPKIT_TRY(const std::vector<int64_t> labels, call.integers_of(1));
  const bool ignores = call.has_attribute("ignore_index");
  const int64_t ignored = call.integer("ignore_index", 0);
  OPKIT_TRY(RefTensor losses, call.make(call.input(0).dtype, call.input(1).shape));
  double total = 0, weights = 0;
  for (int64_t i = 0; i < losses.elements(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    if (ignores && label == ignored) continue;
    if (label < 0 || label >= layout.classes) {
      return call.error(
          kBadIndex,
          "label " + std::to_string(label) + " of " + std::to_string(layout.classes) + " classes",
          "give labels within the classes, or ignore_index");
    }
    const double weight = call.has_input(2) ? call.input(2)[label] : 1;
    losses[i] = -weight * log_probabilities[layout.score(i, label)];
    total += losses[i];
    weights += weight;
  }
  const std::string reduction = call.text("reduction");
  if (reduction == "none") return losses;
  return scalar(losses.dtype, reduction == "sum" ? total : total / weights);
}

Result<Outputs> negative_log_likelihood(const OperatorCall& call) {
  const ScoreLayout layout = layout_of(call);
  return only(likelihood_loss(call, layout, call.input(0)));
}

RefTensor log_probabilities(const RefTensor& scores, const ScoreLayout& layout) {
  RefTensor out = scores;
  const int64_t runs = layout.classes == 0 ? 0 : scores.elements() / layout.classes;
  for (int64_t run = 0; run < runs; ++run) {
    double largest = -INFINITY, sum = 0;
    for (int64_t c = 0; c < layout.classes; ++c) {
      largest = std::max(largest, scores[layout.score(run, c)]);
    }
    for (int64_t c = 0; c < layout.classes; ++c) {
      sum += std::exp(scores[layout.score(run, c)] - largest);
    }
    for (int64_t c = 0; c < layout.classes; ++c) {
      double& value = out[layout.score(run, c)];
      value = value - largest - std::log(sum);
    }
  }
  return out;
}

Result<Outputs> softmax_cross_entropy(const OperatorCall& call) {
  const ScoreLayout layout = layout_of(call);
  RefTensor logs = log_probabilities(call.input(0), layout);
  OPKIT_TRY(RefTensor loss, likelihood_loss(call, layout, logs));
  return Outputs{std::move(loss), std::move(logs)};
}

Result<DTypes> loss_types(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  OPKIT_CHECK(call.require_integer(1));
  return DTypes(2, call.input(0).dtype);
}

// Infers the shapes of both results: the loss and the log probabilities.
Result<Shapes> loss_shapes(const OperatorCall& call) {
  OPKIT_CHECK(check_layout(call));
  const std::string reduction = call.text("reduction");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return call.attribute_error("reduction '" + reduction + "' is unknown");
  const Shape loss = reduction == "none" ? call.input(1).shape : Shape{};
  return Shapes({loss, call.input(0).shape});
}

}  // namespace

Operators loss_operators() {
  const std::vector<AttributeSpec> attributes = {integer("ignore_index"),
                                                 text("reduction", "mean")};
  return {
      {.name = "NegativeLogLikelihoodLoss",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = attributes,
       .evaluate = negative_log_likelihood,
       .types = loss_types,
       .shapes = loss_shapes},
      {.name = "SoftmaxCrossEntropyLoss",
       .least_inputs = 2,
       .most_inputs = 3,
       .most_outputs = 2,
       .attributes = attributes,
       .evaluate = softmax_cross_entropy,
       .types = loss_types,
       .shapes = loss_shapes},
  };
}

}  // namespace opkit::reference
