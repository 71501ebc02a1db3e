// Pooling: a window slides over each channel and leaves one value.
#include <cmath>

#include "opkit/reference/operators.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

Result<Window> pool_window(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  return read_window(call, spatial(call.input(0).shape), Shape(call.integers("kernel_shape")));
}

// The value of a window is value(start of the channel, taps, output index).
template <typename F>
Result<RefTensor> pool(const Call& call, const Window& window, DType dtype, F value) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor y, call.make(dtype, with_spatial(x.shape[0], x.shape[1], window.output)));
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

// The flat index in [N, C, spatial...], or with storage_order 1 with the spatial dims column-major.
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

Result<Outputs> max_pool(const Call& call) {
  OPKIT_TRY(const Window window, pool_window(call));
  const RefTensor& x = call.input(0);
  const double lowest = is_float(x.dtype) ? -INFINITY : static_cast<double>(lowest_of(x.dtype));
  const auto largest = [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    const int64_t at = largest_at(x, start, met);
    return at < 0 ? lowest : x[at];
  };
  const bool column_major = call.integer("storage_order", 0) != 0;
  const auto where = [&](int64_t start, const std::vector<Tap>& met, const Index&) {
    return static_cast<double>(reported_index(window, largest_at(x, start, met), column_major));
  };
  Outputs outputs(1);
  OPKIT_TRY(outputs[0], pool(call, window, x.dtype, largest));
  if (call.output_count() == 1) return outputs;
  OPKIT_TRY(RefTensor indices, pool(call, window, DType::kInt64, where));
  outputs.push_back(std::move(indices));
  return outputs;
}

double sum_of(const RefTensor& x, int64_t start, const std::vector<Tap>& met) {
  double sum = 0;
  for (const Tap& tap : met) sum += x[start + tap.input];
  return sum;
}

Result<Outputs> average_pool(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  OPKIT_TRY(const Window window, pool_window(call));
  const bool count_pads = call.integer("count_include_pad", 0) != 0;
  return only(pool(call, window, call.input(0).dtype,
                   [&](int64_t start, const std::vector<Tap>& met, const Index& output) {
                     const int64_t count = count_pads ? padded_count(window, output)
                                                      : static_cast<int64_t>(met.size());
                     return sum_of(call.input(0), start, met) / static_cast<double>(count);
                   }));
}

double norm(const RefTensor& x, int64_t start, const std::vector<Tap>& met, double p) {
  double sum = 0;
  for (const Tap& tap : met) sum += std::pow(std::abs(x[start + tap.input]), p);
  return std::pow(sum, 1 / p);
}

Result<Outputs> lp_pool(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  OPKIT_TRY(const Window window, pool_window(call));
  const double p = static_cast<double>(call.integer("p", 2));
  return only(pool(call, window, call.input(0).dtype,
                   [&](int64_t start, const std::vector<Tap>& met, const Index&) {
                     return norm(call.input(0), start, met, p);
                   }));
}

// One window as large as the input.
Result<Window> global_window(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  OPKIT_CHECK(call.require_float(0));
  const Shape input = spatial(call.input(0).shape);
  return read_window(call, input, input);
}

Result<Outputs> global_average_pool(const Call& call) {
  OPKIT_TRY(const Window window, global_window(call));
  return only(pool(call, window, call.input(0).dtype,
                   [&](int64_t start, const std::vector<Tap>& met, const Index&) {
                     return sum_of(call.input(0), start, met) / static_cast<double>(met.size());
                   }));
}

Result<Outputs> global_max_pool(const Call& call) {
  OPKIT_TRY(const Window window, global_window(call));
  return only(pool(call, window, call.input(0).dtype,
                   [&](int64_t start, const std::vector<Tap>& met, const Index&) {
                     return call.input(0)[largest_at(call.input(0), start, met)];
                   }));
}

Result<Outputs> global_lp_pool(const Call& call) {
  OPKIT_TRY(const Window window, global_window(call));
  const double p = static_cast<double>(call.integer("p", 2));
  return only(pool(call, window, call.input(0).dtype,
                   [&](int64_t start, const std::vector<Tap>& met, const Index&) {
                     return norm(call.input(0), start, met, p);
                   }));
}

std::vector<AttributeSpec> window_attributes(std::initializer_list<AttributeSpec> more) {
  using enum AttributeKind;
  std::vector<AttributeSpec> all = {{"auto_pad", kText},      {"ceil_mode", kInteger},
                                    {"dilations", kIntegers}, {"kernel_shape", kIntegers, true},
                                    {"pads", kIntegers},      {"strides", kIntegers}};
  all.insert(all.end(), more);
  return all;
}

}  // namespace

Operators pooling_operators() {
  using enum AttributeKind;
  return {
      {"MaxPool", 1, 1, 2, window_attributes({{"storage_order", kInteger}}), max_pool},
      {"AveragePool", 1, 1, 1, window_attributes({{"count_include_pad", kInteger}}), average_pool},
      {"LpPool", 1, 1, 1, window_attributes({{"p", kInteger}}), lp_pool},
      {"GlobalAveragePool", 1, 1, 1, {}, global_average_pool},
      {"GlobalMaxPool", 1, 1, 1, {}, global_max_pool},
      {"GlobalLpPool", 1, 1, 1, {{"p", kInteger}}, global_lp_pool},
  };
}

}  // namespace opkit::reference
