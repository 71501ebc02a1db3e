// NonMaxSuppression: of overlapping boxes keeps the best.
#include <algorithm>
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

Result<Limits> read_limits(const Call& call) {
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

// The kept boxes of one class, best first; of equal scores the lower index.
std::vector<int64_t> selected(const Call& call, const Limits& limits, int64_t batch, int64_t row) {
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
Result<Outputs> non_max_suppression(const Call& call) {
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

Result<DTypes> selected_type(const Call&) { return DTypes{DType::kInt64}; }

// How many boxes are kept depends on the values.
Result<Shapes> selected_shape(const Call& call) {
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

}  // namespace

Operators detection_operators() {
  return {{"NonMaxSuppression",
           2,
           5,
           1,
           {integer("center_point_box", 0)},
           non_max_suppression,
           selected_type,
           selected_shape}};
}

}  // namespace opkit::reference
