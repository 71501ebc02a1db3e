// Normalizations. Variances are means of squared deviations (of the population), in two passes.
#include <algorithm>
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Computes over x[offset(i)] for i below count.
template <typename Offset>
Moments moments_of(const RefTensor& x, int64_t count, Offset offset) {
  Moments m;
  for (int64_t i = 0; i < count; ++i) m.mean += x[offset(i)];
  m.mean /= static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) {
    const double deviation = x[offset(i)] - m.mean;
    m.variance += deviation * deviation;
  }
  m.variance /= static_cast<double>(count);
  return m;
}

// Input i is a list with one value per channel.
Status require_per_channel(const OperatorCall& call, size_t input, int64_t channels) {
  OPKIT_TRY(const int64_t elements, call.input(input).shape.checked_elements());
  if (elements == channels) return {};
  return call.shape_error("input " + std::to_string(input) + " of shape " +
                          call.input(input).shape.to_string() + " must have " +
                          std::to_string(channels) + " elements");
}

struct ChannelLayout {
  int64_t batch, channels, plane;
  int64_t start(int64_t n, int64_t c) const { return (n * channels + c) * plane; }
};

ChannelLayout channel_layout(const Shape& shape) {
  return {shape[0], shape.rank() > 1 ? shape[1] : 1, product(shape, 2, shape.rank())};
}

Moments channel_moments(const RefTensor& x, const ChannelLayout& layout, int64_t channel) {
  return moments_of(x, layout.batch * layout.plane, [&](int64_t i) {
    return layout.start(i / layout.plane, channel) + i % layout.plane;
  });
}

// Inputs: x, scale, bias, mean, variance. In training mode the batch's own moments are used and the
// running ones returned: running * momentum + batch * (1 - momentum).
Result<Outputs> batch_normalization(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const ChannelLayout layout = channel_layout(x.shape);
  const bool training = call.integer("training_mode") != 0;
  const double epsilon = call.number("epsilon"), momentum = call.number("momentum");
  Outputs out = {x, call.input(3), call.input(4)};
  for (int64_t c = 0; c < layout.channels; ++c) {
    const Moments m =
        training ? channel_moments(x, layout, c) : Moments{call.input(3)[c], call.input(4)[c]};
    out[1][c] = call.input(3)[c] * momentum + m.mean * (1 - momentum);
    out[2][c] = call.input(4)[c] * momentum + m.variance * (1 - momentum);
    const double factor = call.input(1)[c] / std::sqrt(m.variance + epsilon);
    for (int64_t n = 0; n < layout.batch; ++n) {
      for (int64_t i = layout.start(n, c); i < layout.start(n, c) + layout.plane; ++i) {
        out[0][i] = (x[i] - m.mean) * factor + call.input(2)[c];
      }
    }
  }
  if (!training) out.resize(1);
  return out;
}

Result<Outputs> instance_normalization(const OperatorCall& call) {
  RefTensor y = call.input(0);
  const ChannelLayout layout = channel_layout(y.shape);
  const double epsilon = call.number("epsilon");
  for (int64_t n = 0; n < layout.batch; ++n) {
    for (int64_t c = 0; c < layout.channels; ++c) {
      const int64_t start = layout.start(n, c);
      const Moments m = moments_of(y, layout.plane, [&](int64_t i) { return start + i; });
      for (int64_t i = start; i < start + layout.plane; ++i) {
        y[i] =
            (y[i] - m.mean) / std::sqrt(m.variance + epsilon) * call.input(1)[c] + call.input(2)[c];
      }
    }
  }
  return only(std::move(y));
}

// Scale and bias are per group before version 21, per channel since.
int64_t values_per_group_norm(const OperatorCall& call) {
  return call.opset() >= 21 ? call.input(0).shape[1] : call.integer("num_groups");
}

Result<Outputs> group_normalization(const OperatorCall& call) {
  RefTensor y = call.input(0);
  const ChannelLayout layout = channel_layout(y.shape);
  const int64_t groups = call.integer("num_groups");
  const int64_t given = values_per_group_norm(call);
  const double epsilon = call.number("epsilon");
  const int64_t size = layout.channels / groups * layout.plane;
  for (int64_t start = 0; start < y.elements(); start += size) {
    const Moments m = moments_of(y, size, [&](int64_t i) { return start + i; });
    for (int64_t i = start; i < start + size; ++i) {
      const int64_t channel = i / layout.plane % layout.channels;
      const int64_t g = channel * given / layout.channels;
      y[i] =
          (y[i] - m.mean) / std::sqrt(m.variance + epsilon) * call.input(1)[g] + call.input(2)[g];
    }
  }
  return only(std::move(y));
}

// The dims from `axis` on are normalised together; scale and bias broadcast to x.
struct Trailing {
  size_t axis = 0;
  int64_t count = 1;
};

Status check_trailing(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY([[maybe_unused]] const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.has_input(i) || broadcast_shape(call.input(i).shape, shape) == shape) continue;
    return call.shape_error("input " + std::to_string(i) + " of shape " +
                            call.input(i).shape.to_string() + " does not broadcast to " +
                            shape.to_string());
  }
  return {};
}

Result<Trailing> trailing_of(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  return Trailing{axis, product(shape, axis, shape.rank())};
}

void apply_scale_and_bias(const OperatorCall& call, RefTensor& y) {
  int64_t position = 0;
  for_each_index(y.shape, [&](const Index& index) {
    double& value = y[position++];
    if (call.has_input(1)) value *= call.input(1)[broadcast_offset(call.input(1).shape, index)];
    if (call.has_input(2)) value += call.input(2)[broadcast_offset(call.input(2).shape, index)];
  });
}

// Outputs: y, the means, the inverse standard deviations (with dims of 1 from axis on).
Result<Outputs> layer_normalization(const OperatorCall& call) {
  OPKIT_TRY(const Trailing trailing, trailing_of(call));
  RefTensor y = call.input(0);
  OPKIT_TRY(RefTensor means, call.result(1));
  RefTensor inverses = means;
  const double epsilon = call.number("epsilon");
  for (int64_t run = 0; run < means.elements() && trailing.count > 0; ++run) {
    const int64_t start = run * trailing.count;
    const Moments m = moments_of(y, trailing.count, [&](int64_t i) { return start + i; });
    means[run] = m.mean;
    inverses[run] = 1 / std::sqrt(m.variance + epsilon);
    for (int64_t i = start; i < start + trailing.count; ++i) y[i] = (y[i] - m.mean) * inverses[run];
  }
  apply_scale_and_bias(call, y);
  return Outputs{std::move(y), std::move(means), std::move(inverses)};
}

// x / sqrt(mean of squares + epsilon) * scale.
Result<Outputs> rms_normalization(const OperatorCall& call) {
  OPKIT_TRY(const Trailing trailing, trailing_of(call));
  RefTensor y = call.input(0);
  const double epsilon = call.number("epsilon");
  for (int64_t start = 0; start < y.elements(); start += trailing.count) {
    double squares = 0;
    for (int64_t i = start; i < start + trailing.count; ++i) squares += y[i] * y[i];
    const double rms = std::sqrt(squares / static_cast<double>(trailing.count) + epsilon);
    for (int64_t i = start; i < start + trailing.count; ++i) y[i] /= rms;
  }
  apply_scale_and_bias(call, y);
  return only(std::move(y));
}

// Computes over the given axes (default N, H, W): (x - mean) / (standard deviation + 1e-9).
Result<Outputs> mean_variance_normalization(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::vector<size_t> axes, call.axes(call.integers("axes"), x.shape.rank()));
  Shape kept = x.shape;
  for (size_t axis : axes) kept[axis] = 1;
  OPKIT_TRY(RefTensor means, call.make(x.dtype, kept));
  RefTensor variances = means;
  const double count = static_cast<double>(x.elements()) / static_cast<double>(means.elements());
  const auto each = [&](auto visit) {
    for_each_index(x.shape, [&](const Index& index) {
      visit(offset_of(x.shape, index), broadcast_offset(kept, index));
    });
  };
  each([&](int64_t i, int64_t k) { means[k] += x[i] / count; });
  each(
      [&](int64_t i, int64_t k) { variances[k] += (x[i] - means[k]) * (x[i] - means[k]) / count; });
  RefTensor y = x;
  each([&](int64_t i, int64_t k) { y[i] = (x[i] - means[k]) / (std::sqrt(variances[k]) + 1e-9); });
  return only(std::move(y));
}

// Along one axis: x / (sum of |x|^p)^(1/p), p 1 or 2; a run of zeros stays zero.
Result<Outputs> lp_normalization(const OperatorCall& call) {
  const int64_t p = call.integer("p");
  RefTensor y = call.input(0);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), y.shape.rank()));
  const int64_t count = y.shape[axis], inner = product(y.shape, axis + 1, y.shape.rank());
  for (int64_t run = 0; count > 0 && run < y.elements() / count; ++run) {
    const int64_t start = run / inner * count * inner + run % inner;
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      const double magnitude = std::abs(y[start + k * inner]);
      sum += p == 1 ? magnitude : magnitude * magnitude;
    }
    const double norm = p == 1 ? sum : std::sqrt(sum);
    for (int64_t k = 0; norm != 0 && k < count; ++k) y[start + k * inner] /= norm;
  }
  return only(std::move(y));
}

// x / (bias + alpha / size * sum of squares of the neighbouring channels) ^ beta.
Result<Outputs> local_response_normalization(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const ChannelLayout layout = channel_layout(x.shape);
  const int64_t size = call.integer("size");
  const double alpha = call.number("alpha"), beta = call.number("beta");
  const double bias = call.number("bias");
  RefTensor y = x;
  for (int64_t i = 0; i < x.elements(); ++i) {
    const int64_t channel = i / layout.plane % layout.channels;
    double squares = 0;
    const int64_t first = std::max<int64_t>(channel - (size - 1) / 2, 0);
    const int64_t last =
        size / 2 < layout.channels - channel ? channel + size / 2 : layout.channels - 1;
    for (int64_t c = first; c <= last; ++c) {
      const double neighbour = x[i + (c - channel) * layout.plane];
      squares += neighbour * neighbour;
    }
    y[i] = x[i] / std::pow(bias + alpha / static_cast<double>(size) * squares, beta);
  }
  return only(std::move(y));
}

Result<DTypes> batch_types(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  if (call.integer("spatial", 1) != 1) return call.not_implemented("spatial = 0");
  if (call.opset() < 7 && call.integer("is_test") == 0) return call.not_implemented("is_test = 0");
  DTypes types{call.input(0).dtype};
  if (call.integer("training_mode") != 0)
    types.insert(types.end(), {call.input(3).dtype, call.input(4).dtype});
  return types;
}

// Infers y; behind it training has the running moments.
Result<Shapes> batch_shapes(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 1, 64));
  const Shape& x = call.input(0).shape;
  for (size_t i = 1; i < 5; ++i)
    OPKIT_CHECK(require_per_channel(call, i, channel_layout(x).channels));
  return Shapes({x, call.input(3).shape, call.input(4).shape});
}

Result<Shapes> per_channel_shape(const OperatorCall& call, int64_t values) {
  OPKIT_CHECK(require_per_channel(call, 1, values));
  OPKIT_CHECK(require_per_channel(call, 2, values));
  return first_shape(call);
}

Result<Shapes> instance_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  return per_channel_shape(call, call.input(0).shape[1]);
}

Result<Shapes> group_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  const int64_t channels = call.input(0).shape[1], groups = call.integer("num_groups");
  if (groups < 1 || channels % groups != 0)
    return call.attribute_error("num_groups must divide the channels");
  return per_channel_shape(call, values_per_group_norm(call));
}

Result<Shapes> trailing_shape(const OperatorCall& call) {
  OPKIT_CHECK(check_trailing(call));
  return first_shape(call);
}

Result<DTypes> layer_types(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return DTypes{call.input(0).dtype, DType::kFloat32, DType::kFloat32};
}

// y, the means, the inverse standard deviations.
Result<Shapes> layer_shapes(const OperatorCall& call) {
  OPKIT_CHECK(check_trailing(call));
  const Shape& x = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.rank()));
  Shape kept = x;
  for (size_t d = axis; d < kept.rank(); ++d) kept[d] = 1;
  return Shapes({x, kept, kept});
}

Result<Shapes> mean_variance_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  OPKIT_TRY([[maybe_unused]] const auto axes, call.axes(call.integers("axes"), x.rank()));
  return one(x);
}

Result<Shapes> lp_shape(const OperatorCall& call) {
  const int64_t p = call.integer("p");
  if (p != 1 && p != 2) return call.attribute_error("p must be 1 or 2");
  const Shape& x = call.input(0).shape;
  OPKIT_TRY([[maybe_unused]] const size_t axis, call.axis(call.integer("axis"), x.rank()));
  return one(x);
}

Result<Shapes> lrn_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  if (call.integer("size") < 1) return call.attribute_error("size must be at least 1");
  return first_shape(call);
}

}  // namespace

Operators normalization_operators() {
  const AttributeSpec epsilon = number("epsilon", 1e-5), stash = integer("stash_type", 1);
  return {
      {.name = "BatchNormalization",
       .least_inputs = 5,
       .most_inputs = 5,
       .most_outputs = 5,
       .attributes = {epsilon, number("momentum", 0.9), integer("training_mode", 0),
                      until(8, integer("spatial", 1)), until(6, integer("is_test", 0))},
       .evaluate = batch_normalization,
       .types = batch_types,
       .shapes = batch_shapes,
       .bound = Bound::composed()},
      {.name = "InstanceNormalization",
       .least_inputs = 3,
       .most_inputs = 3,
       .attributes = {epsilon},
       .evaluate = instance_normalization,
       .types = same_float_type,
       .shapes = instance_shape,
       .bound = Bound::composed()},
      {.name = "GroupNormalization",
       .least_inputs = 3,
       .most_inputs = 3,
       .attributes = {epsilon, required(integer("num_groups")), stash},
       .evaluate = group_normalization,
       .types = same_float_type,
       .shapes = group_shape},
      {.name = "LayerNormalization",
       .least_inputs = 2,
       .most_inputs = 3,
       .most_outputs = 3,
       .attributes = {integer("axis", -1), epsilon, stash},
       .evaluate = layer_normalization,
       .types = layer_types,
       .shapes = layer_shapes,
       .reach = Reach::kRow,
       .bound = Bound::composed()},
      {.name = "RMSNormalization",
       .least_inputs = 2,
       .most_inputs = 2,
       .attributes = {integer("axis", -1), epsilon, stash},
       .evaluate = rms_normalization,
       .types = float_type,
       .shapes = trailing_shape,
       .reach = Reach::kRow,
       .bound = Bound::composed()},
      {.name = "MeanVarianceNormalization",
       .attributes = {{"axes", AttributeKind::kIntegers, std::vector<int64_t>{0, 2, 3}}},
       .evaluate = mean_variance_normalization,
       .types = float_type,
       .shapes = mean_variance_shape},
      {.name = "LpNormalization",
       .attributes = {integer("axis", -1), integer("p", 2)},
       .evaluate = lp_normalization,
       .types = float_type,
       .shapes = lp_shape,
       .reach = Reach::kRow},
      {.name = "LRN",
       .attributes = {number("alpha", 1e-4), number("beta", 0.75), number("bias", 1),
                      required(integer("size"))},
       .evaluate = local_response_normalization,
       .types = float_type,
       .shapes = lrn_shape},
  };
}

}  // namespace opkit::reference
