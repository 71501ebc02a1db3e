// Pooling: a window slides over each channel and leaves one value.
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

Result<Window> pool_window(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  return read_window(call, spatial(call.input(0).shape), Shape(call.integers("kernel_shape")));
}

// The value of a window is value(start of the channel, taps, output index).
template <typename F>
Result<RefTensor> pool(const OperatorCall& call, const Window& window, F value, size_t result = 0) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor y, call.result(result));
  const int64_t plane = window.input.elements(), out_plane = window.output.elements();
  int64_t position = 0;
  for_each_index(window.output, [&](const Index& output) {
    const std::vector<Tap> met = taps(window, output);
    for (int64_t channel = 0; channel < x.shape[0] * x.shape[1]; ++channel) {
      y[channel * out_plane + position] = value(channel * plane, met, output);
    }
    ++position;
  });
  return y;
}

// Offset of the first largest element; a NaN is larger than everything. A window that lies in the
// padding has none: -1.
int64_t largest_at(const RefTensor& x, int64_t start, const std::vector<Tap>& met) {
  int64_t best = -1;
  for (const Tap& tap : met) {
    const int64_t at = start + tap.input;
    if (best < 0 || x[at] > x[best] || (std::isnan(x[at]) && !std::isnan(x[best]))) best = at;
  }
  return best;
}

// Returns the flat index in [N, C, spatial...], or with storage_order 1 with the spatial dims
// column-major.
int64_t reported_index(const Window& window, int64_t flat, bool column_major) {
  if (!column_major || flat < 0) return flat;
  const int64_t plane = window.input.elements();
  int64_t rest = flat % plane;
  Index index(window.input.rank());
  for (size_t d = index.size(); d-- > 0; rest /= window.input[d]) index[d] = rest % window.input[d];
  int64_t offset = 0;
  for (size_t d = index.size(); d-- > 0;) offset = offset * window.input[d] + index[d];
  return flat / plane * plane + offset;
}

Result<Outputs> max_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, pool_window(call));
  const RefTensor& x = call.input(0);
  const double lowest = is_float(x.dtype) ? -INFINITY : static_cast<double>(lowest_of(x.dtype));
  const auto largest = [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    const int64_t at = largest_at(x, start, met);
    return at < 0 ? lowest : x[at];
  };
  const bool column_major = call.integer("storage_order") != 0;
  const auto where = [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return static_cast<double>(reported_index(window, largest_at(x, start, met), column_major));
  };
  Outputs outputs(1);
  OPKIT_TRY(outputs[0], pool(call, window, largest));
  if (call.output_count() == 1) return outputs;
  OPKIT_TRY(RefTensor indices, pool(call, window, where, 1));
  outputs.push_back(std::move(indices));
  return outputs;
}

double sum_of(const RefTensor& x, int64_t start, const std::vector<Tap>& met) {
  double sum = 0;
  for (const Tap& tap : met) sum += x[start + tap.input];
  return sum;
}

Result<Outputs> average_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, pool_window(call));
  const bool count_pads = call.integer("count_include_pad") != 0;
  return only(
      pool(call, window, [&](int64_t start, const std::vector<Tap>& met, const Index& output) {
        const int64_t count =
            count_pads ? padded_count(window, output) : static_cast<int64_t>(met.size());
        return sum_of(call.input(0), start, met) / static_cast<double>(count);
      }));
}

double norm(const RefTensor& x, int64_t start, const std::vector<Tap>& met, double p) {
  double sum = 0;
  for (const Tap& tap : met) sum += std::pow(std::abs(x[start + tap.input]), p);
  return std::pow(sum, 1 / p);
}

Result<Outputs> lp_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, pool_window(call));
  const double p = static_cast<double>(call.integer("p"));
  return only(pool(call, window, [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return norm(call.input(0), start, met, p);
  }));
}

// Returns one window as large as the input.
Result<Window> global_window(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  const Shape input = spatial(call.input(0).shape);
  return read_window(call, input, input);
}

Result<Outputs> global_average_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, global_window(call));
  return only(pool(call, window, [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return sum_of(call.input(0), start, met) / static_cast<double>(met.size());
  }));
}

Result<Outputs> global_max_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, global_window(call));
  return only(pool(call, window, [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return call.input(0)[largest_at(call.input(0), start, met)];
  }));
}

Result<Outputs> global_lp_pool(const OperatorCall& call) {
  OPKIT_TRY(const Window window, global_window(call));
  const double p = static_cast<double>(call.integer("p"));
  return only(pool(call, window, [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return norm(call.input(0), start, met, p);
  }));
}

Result<DTypes> max_pool_types(const OperatorCall& call) {
  return DTypes{call.input(0).dtype, DType::kInt64};
}

Result<Shapes> pool_shape(const OperatorCall& call) {
  OPKIT_TRY(const Window window, pool_window(call));
  const Shape& x = call.input(0).shape;
  const Shape y = with_spatial(x[0], x[1], window.output);
  OPKIT_CHECK(call.check_size(y));
  return Shapes({y, y});
}

Result<Shapes> global_shape(const OperatorCall& call) {
  OPKIT_TRY(const Window window, global_window(call));
  const Shape& x = call.input(0).shape;
  return checked(call, with_spatial(x[0], x[1], window.output));
}

}  // namespace

Operators pooling_operators() {
  const auto pool_row = [](std::string_view name, AttributeSpec own,
                           Result<Outputs> (*f)(const OperatorCall&), Bound bound) {
    return Operator{.name = name,
                    .attributes = window_attributes({required(integers("kernel_shape")),
                                                     integer("ceil_mode", 0), std::move(own)}),
                    .evaluate = f,
                    .types = float_type,
                    .shapes = pool_shape,
                    .bound = bound};
  };
  const auto global_row = [](std::string_view name, std::vector<AttributeSpec> own,
                             Result<Outputs> (*f)(const OperatorCall&), Bound bound) {
    return Operator{.name = name,
                    .attributes = std::move(own),
                    .evaluate = f,
                    .types = float_type,
                    .shapes = global_shape,
                    .bound = bound};
  };
  Operator max = pool_row("MaxPool", integer("storage_order", 0), max_pool, Bound::moved());
  max.most_outputs = 2;
  max.types = max_pool_types;
  return {
      std::move(max),
      pool_row("AveragePool", integer("count_include_pad", 0), average_pool, Bound::summed()),
      pool_row("LpPool", integer("p", 2), lp_pool, Bound()),
      global_row("GlobalAveragePool", {}, global_average_pool, Bound::summed()),
      global_row("GlobalMaxPool", {}, global_max_pool, Bound::moved()),
      global_row("GlobalLpPool", {integer("p", 2)}, global_lp_pool, Bound()),
  };
}

}  // namespace opkit::reference
