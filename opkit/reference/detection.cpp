// NonMaxSuppression: of overlapping boxes keeps the best. RoiAlign: boxes of a picture as small
// pictures of one size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

struct Box {
  double y0, x0, y1, x1;  // ordered
  double area() const { return (y1 - y0) * (x1 - x0); }
};

// Corners in any order, or [x centre, y centre, width, height].
Box read_box(const RefTensor& boxes, int64_t box, bool centred) {
  const double a = boxes[box * 4], b = boxes[box * 4 + 1], c = boxes[box * 4 + 2],
               d = boxes[box * 4 + 3];
  if (centred) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

double overlap(const Box& a, const Box& b) {
  const double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  const double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  if (height <= 0 || width <= 0) return 0;
  return height * width / (a.area() + b.area() - height * width);
}

struct Limits {
  int64_t most = 0;
  double overlap = 0;
  bool has_score = false;
  double score = 0;
};

Result<Limits> read_limits(const OperatorCall& call) {
  Limits limits;
  if (call.has_input(2)) {
    OPKIT_TRY(limits.most, call.integer_of(2));
  }
  if (call.has_input(3)) {
    OPKIT_TRY(limits.overlap, call.scalar_of(3));
  }
  limits.has_score = call.has_input(4);
  if (limits.has_score) {
    OPKIT_TRY(limits.score, call.scalar_of(4));
  }
  return limits;
}

// Returns the kept boxes of one class, best first; of equal scores the lower index.
std::vector<int64_t> selected(const OperatorCall& call, const Limits& limits, int64_t batch,
                              int64_t row) {
  const RefTensor &boxes = call.input(0), &scores = call.input(1);
  const int64_t count = boxes.shape[1];
  const bool centred = call.integer("center_point_box") != 0;
  std::vector<int64_t> order(static_cast<size_t>(count)), kept;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return scores[row * count + a] > scores[row * count + b];
  });
  for (int64_t candidate : order) {
    if (static_cast<int64_t>(kept.size()) >= limits.most) break;
    if (limits.has_score && !(scores[row * count + candidate] > limits.score)) continue;
    const Box box = read_box(boxes, batch * count + candidate, centred);
    const bool hidden = std::any_of(kept.begin(), kept.end(), [&](int64_t k) {
      return overlap(box, read_box(boxes, batch * count + k, centred)) > limits.overlap;
    });
    if (!hidden) kept.push_back(candidate);
  }
  return kept;
}

// boxes [B, S, 4], scores [B, C, S]; rows of [batch, class, box].
Result<Outputs> non_max_suppression(const OperatorCall& call) {
  const Shape& scores = call.input(1).shape;
  OPKIT_TRY(const Limits limits, read_limits(call));
  RefTensor out{DType::kInt64, Shape{0, 3}, {}};
  for (int64_t row = 0; row < scores[0] * scores[1]; ++row) {
    const int64_t batch = row / scores[1];
    for (int64_t box : selected(call, limits, batch, row)) {
      for (int64_t v : {batch, row % scores[1], box}) out.values.push_back(static_cast<double>(v));
    }
  }
  out.shape[0] = out.elements() / 3;
  return only(std::move(out));
}

Result<DTypes> selected_type(const OperatorCall&) { return DTypes{DType::kInt64}; }

// Infers no dim: how many boxes are kept depends on the values.
Result<Shapes> selected_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 3));
  OPKIT_CHECK(call.require_rank(1, 3, 3));
  const Shape &boxes = call.input(0).shape, &scores = call.input(1).shape;
  if (boxes[2] != 4 || boxes[0] != scores[0] || boxes[1] != scores[2]) {
    return call.shape_error("boxes " + boxes.to_string() + " and scores " + scores.to_string() +
                            " do not fit");
  }
  for (size_t i = 2; i < 5; ++i) {
    if (call.has_input(i)) OPKIT_CHECK(call.require_one_element(i));
  }
  return Shapes();
}

struct Alignment {
  int64_t rows = 1, columns = 1;  // measure a result
  // Counts the samples of a cell along one axis; 0: as many as the cell has pixels.
  int64_t samples = 0;
  double scale = 1;
  bool half_pixel = true;
};

Result<Alignment> read_alignment(const OperatorCall& call) {
  if (const std::string mode = call.text("mode"); mode != "avg")
    return call.not_implemented("mode '" + mode + "', which libraries compute differently,");
  const std::string places = call.text("coordinate_transformation_mode",
                                       call.opset() < 16 ? "output_half_pixel" : "half_pixel");
  if (places != "half_pixel" && places != "output_half_pixel")
    return call.attribute_error("coordinate_transformation_mode '" + places + "' is unknown");
  return Alignment{call.integer("output_height"), call.integer("output_width"),
                   call.integer("sampling_ratio"), call.number("spatial_scale"),
                   places == "half_pixel"};
}

// The pixels on both sides of a place, and the second one's weight. Outside by more than one pixel:
// none.
struct Between {
  int64_t low = 0, high = 0;
  double share = 0;
  bool inside = false;
};

Between between(double place, int64_t extent) {
  if (place < -1 || place > static_cast<double>(extent)) return {};
  place = std::max(place, 0.0);
  const auto low = static_cast<int64_t>(place);
  if (low >= extent - 1) return {extent - 1, extent - 1, 0, true};
  return {low, low + 1, place - static_cast<double>(low), true};
}

// Along one axis of a box: where its cells are sampled.
struct Span {
  static constexpr int64_t kMostSamples = 4096;  // limits a cell, along one axis
  double begin = 0, cell = 0;
  int64_t samples = 0;  // counts the samples of each cell

  static Span of(double from, double to, int64_t cells, const Alignment& alignment) {
    const double shift = alignment.half_pixel ? 0.5 : 0.0;
    const double begin = from * alignment.scale - shift;
    double extent = to * alignment.scale - shift - begin;
    if (!alignment.half_pixel) extent = std::max(extent, 1.0);
    const double cell = extent / static_cast<double>(cells);
    if (alignment.samples > 0) return {begin, cell, alignment.samples};
    const double pixels = std::ceil(std::clamp(cell, 0.0, kMostSamples + 1.0));
    return {begin, cell, std::isnan(cell) ? 0 : static_cast<int64_t>(pixels)};
  }
  // Finite, and no more samples than any picture is worth.
  bool is_usable() const {
    return std::isfinite(begin) && std::isfinite(cell) && samples <= kMostSamples;
  }
  double place(int64_t index, int64_t sample) const {
    return begin + cell * (static_cast<double>(index) +
                           (static_cast<double>(sample) + 0.5) / static_cast<double>(samples));
  }
};

double pixel_between(const RefTensor& x, int64_t plane, const Between& y, const Between& at) {
  if (!y.inside || !at.inside) return 0;
  const auto pixel = [&](int64_t row, int64_t column) {
    return x[(plane * x.shape[2] + row) * x.shape[3] + column];
  };
  const auto line = [&](int64_t row) {
    return pixel(row, at.low) * (1 - at.share) + pixel(row, at.high) * at.share;
  };
  return line(y.low) * (1 - y.share) + line(y.high) * y.share;
}

double mean_of_cell(const RefTensor& x, int64_t plane, const Span& rows, const Span& columns,
                    int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t i = 0; i < rows.samples; ++i) {
    const Between y = between(rows.place(row, i), x.shape[2]);
    for (int64_t j = 0; j < columns.samples; ++j)
      sum += pixel_between(x, plane, y, between(columns.place(column, j), x.shape[3]));
  }
  return sum / static_cast<double>(std::max<int64_t>(rows.samples * columns.samples, 1));
}

// x [N, C, H, W], boxes [R, 4] of x0, y0, x1, y1, batch indices [R] -> [R, C, rows, columns].
Result<Outputs> roi_align(const OperatorCall& call) {
  const RefTensor &x = call.input(0), &boxes = call.input(1);
  OPKIT_TRY(const Alignment alignment, read_alignment(call));
  OPKIT_TRY(const std::vector<int64_t> batches, call.integers_of(2));
  OPKIT_TRY(RefTensor out, call.result());
  int64_t next = 0;
  for (int64_t box = 0; box < out.shape[0]; ++box) {
    const int64_t batch = batches[static_cast<size_t>(box)];
    if (batch < 0 || batch >= x.shape[0])
      return call.error(kBadIndex,
                        fmt::format("box {} is of picture {} of {}", box, batch, x.shape[0]),
                        "give an index of a picture");
    const Span columns = Span::of(boxes[box * 4], boxes[box * 4 + 2], alignment.columns, alignment);
    const Span rows = Span::of(boxes[box * 4 + 1], boxes[box * 4 + 3], alignment.rows, alignment);
    if (!rows.is_usable() || !columns.is_usable())
      return call.error(
          kTooLarge,
          fmt::format("box {} is not finite, or a cell of it takes more than {} samples", box,
                      Span::kMostSamples),
          "give boxes of the picture, or a smaller sampling_ratio");
    for (int64_t channel = 0; channel < x.shape[1]; ++channel) {
      for (int64_t cell = 0; cell < alignment.rows * alignment.columns; ++cell)
        out.values[static_cast<size_t>(next++)] =
            mean_of_cell(x, batch * x.shape[1] + channel, rows, columns, cell / alignment.columns,
                         cell % alignment.columns);
    }
  }
  return only(std::move(out));
}

Result<Shapes> roi_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 4, 4));
  OPKIT_CHECK(call.require_rank(1, 2, 2));
  OPKIT_CHECK(call.require_rank(2, 1, 1));
  OPKIT_TRY(const Alignment alignment, read_alignment(call));
  const Shape &x = call.input(0).shape, &boxes = call.input(1).shape;
  if (boxes[1] != 4 || call.input(2).shape[0] != boxes[0] || x[2] * x[3] == 0)
    return call.shape_error("x " + x.to_string() + ", boxes " + boxes.to_string() +
                            " and batch indices " + call.input(2).shape.to_string() +
                            " do not fit");
  if (alignment.rows < 1 || alignment.columns < 1)
    return call.attribute_error("output_height and output_width must be at least 1");
  return checked(call, Shape{boxes[0], x[1], alignment.rows, alignment.columns});
}

}  // namespace

Operators detection_operators() {
  return {{.name = "RoiAlign",
           .least_inputs = 3,
           .most_inputs = 3,
           .attributes = {text("mode", "avg"), text("coordinate_transformation_mode"),
                          integer("output_height", 1), integer("output_width", 1),
                          integer("sampling_ratio", 0), number("spatial_scale", 1)},
           .evaluate = roi_align,
           .types = float_type,
           .shapes = roi_shape},
          {.name = "NonMaxSuppression",
           .least_inputs = 2,
           .most_inputs = 5,
           .attributes = {integer("center_point_box", 0)},
           .evaluate = non_max_suppression,
           .types = selected_type,
           .shapes = selected_shape}};
}

}  // namespace opkit::reference
