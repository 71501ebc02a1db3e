// DFT and STFT: sums of numbers times the waves of every frequency. Pairs along the last dim are
// complex numbers.
#include <cmath>
#include <complex>

#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

using Complex = std::complex<double>;
using Line = std::vector<Complex>;

// The powers of the root of unity.
class Waves {
 public:
  Waves(int64_t length, bool inverse) : inverse_(inverse) {
    for (int64_t j = 0; j < length; ++j) {
      const double angle = 2 * M_PI * static_cast<double>(j) / static_cast<double>(length);
      roots_.push_back(std::polar(1.0, inverse ? angle : -angle));
    }
  }

  // The number of frequency k; what the line has beyond the length does not count.
  Complex sum(const Line& line, int64_t k) const {
    const auto length = static_cast<int64_t>(roots_.size());
    Complex sum = 0;
    for (int64_t j = 0; j < std::min<int64_t>(length, static_cast<int64_t>(line.size())); ++j)
      sum += line[static_cast<size_t>(j)] * roots_[static_cast<size_t>(j * k % length)];
    return inverse_ ? sum / static_cast<double>(length) : sum;
  }

 private:
  bool inverse_;
  std::vector<Complex> roots_;
};

Complex complex_at(const RefTensor& x, int64_t place, int64_t numbers) {
  return {x[place * numbers], numbers == 2 ? x[place * numbers + 1] : 0};
}

// Frequencies that are told apart: those of real numbers repeat behind the middle.
int64_t bins_of(const OperatorCall& call, int64_t length) {
  return call.integer("onesided") != 0 ? length / 2 + 1 : length;
}

Result<size_t> dft_axis(const OperatorCall& call) {
  const size_t rank = call.input(0).shape.rank();
  int64_t stated = call.opset() < 20 ? call.integer("axis", 1) : -2;
  if (call.opset() >= 20 && call.has_input(2)) {
    OPKIT_TRY(stated, call.integer_of(2));
  }
  OPKIT_TRY(const size_t axis, call.axis(stated, rank));
  if (axis + 1 < rank) return axis;
  return call.attribute_error("the axis of a DFT is that of its pairs of numbers");
}

Result<Outputs> dft(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const size_t axis, dft_axis(call));
  OPKIT_TRY(RefTensor out, call.result());
  int64_t length = x.shape[axis], inner = 1;
  if (call.has_input(1)) {
    OPKIT_TRY(length, call.integer_of(1));
  }
  const int64_t numbers = x.shape.dims().back(), places = x.shape[axis], bins = out.shape[axis];
  for (size_t d = axis + 1; d + 1 < x.shape.rank(); ++d) inner *= x.shape[d];
  const Waves waves(length, call.integer("inverse") != 0);
  for (int64_t line = 0; line < out.elements() / (2 * bins); ++line) {
    const int64_t outer = line / inner, at = line % inner;
    Line numbers_of_line;
    for (int64_t j = 0; j < places; ++j)
      numbers_of_line.push_back(complex_at(x, (outer * places + j) * inner + at, numbers));
    for (int64_t k = 0; k < bins; ++k) {
      const Complex sum = waves.sum(numbers_of_line, k);
      const int64_t to = 2 * ((outer * bins + k) * inner + at);
      out[to] = sum.real();
      out[to + 1] = sum.imag();
    }
  }
  return only(std::move(out));
}

Result<Shapes> dft_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  OPKIT_CHECK(call.require_rank(0, 2, 1000));
  const bool inverse = call.integer("inverse") != 0;
  if (x.dims().back() != 1 && x.dims().back() != 2)
    return call.shape_error("the last dim of " + x.to_string() + " has neither 1 number nor 2");
  if (inverse && call.integer("onesided") != 0)
    return call.not_implemented("an inverse DFT of one side");
  if (!call.known(1) || (call.opset() >= 20 && !call.known(2))) return Shapes();
  OPKIT_TRY(const size_t axis, dft_axis(call));
  int64_t length = x[axis];
  if (call.has_input(1)) {
    OPKIT_TRY(length, call.integer_of(1));
  }
  if (length < 1) return call.shape_error("a DFT has a length of at least 1");
  Shape shape = x;
  shape.dims()[axis] = bins_of(call, length);
  shape.dims().back() = 2;
  return checked(call, std::move(shape));
}

// Returns the length of each frame; nothing when it is not known.
Result<std::optional<int64_t>> frame_length(const OperatorCall& call) {
  if (call.has_input(3) && !call.known(3)) return std::optional<int64_t>();
  int64_t length = 0;
  if (call.has_input(3)) {
    OPKIT_TRY(length, call.integer_of(3));
  } else if (call.has_input(2)) {
    OPKIT_CHECK(call.require_rank(2, 1, 1));
    length = call.input(2).shape[0];
  }
  if (length < 1) return call.shape_error("frames of an STFT have a length of at least 1");
  if (call.has_input(2) && call.input(2).shape != Shape{length})
    return call.shape_error("the window of an STFT has the length of a frame");
  return std::optional<int64_t>(length);
}

Result<Outputs> stft(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::optional<int64_t> length, frame_length(call));
  OPKIT_TRY(const int64_t step, call.integer_of(1));
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t samples = x.shape[1], numbers = x.shape.rank() == 3 ? x.shape[2] : 1;
  const int64_t frames = out.shape[1], bins = out.shape[2];
  const Waves waves(*length, false);
  for (int64_t frame = 0; frame < out.shape[0] * frames; ++frame) {
    const int64_t begin = frame / frames * samples + frame % frames * step;
    Line line;
    for (int64_t j = 0; j < *length; ++j)
      line.push_back(complex_at(x, begin + j, numbers) *
                     (call.has_input(2) ? call.input(2)[j] : 1));
    for (int64_t k = 0; k < bins; ++k) {
      const Complex sum = waves.sum(line, k);
      out[2 * (frame * bins + k)] = sum.real();
      out[2 * (frame * bins + k) + 1] = sum.imag();
    }
  }
  return only(std::move(out));
}

Result<Shapes> stft_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 3));
  const Shape& x = call.input(0).shape;
  const int64_t numbers = x.rank() == 3 ? x[2] : 1;
  if (numbers != 1 && numbers != 2)
    return call.shape_error("the last dim of " + x.to_string() + " has neither 1 number nor 2");
  if (numbers == 2 && call.integer("onesided") != 0)
    return call.attribute_error("an STFT of complex numbers has two sides: onesided is 0");
  OPKIT_TRY(const std::optional<int64_t> length, frame_length(call));
  if (!length || !call.known(1)) return Shapes();
  OPKIT_TRY(const int64_t step, call.integer_of(1));
  if (step < 1 || x[1] < *length)
    return call.shape_error("no frame of " + std::to_string(*length) + " samples lies in " +
                            x.to_string() + " at steps of " + std::to_string(step));
  return checked(call, Shape{x[0], (x[1] - *length) / step + 1, bins_of(call, *length), 2});
}

Result<DTypes> fourier_type(const OperatorCall& call) {
  for (size_t i = 1; i < call.input_count(); ++i) {
    const bool is_window = call.op() == "STFT" && i == 2;
    if (!call.has_input(i) || is_window) continue;
    OPKIT_CHECK(call.require_integer(i));
    OPKIT_CHECK(call.require_one_element(i));
  }
  return float_type(call);
}

}  // namespace

Operators fourier_operators() {
  return {
      {.name = "DFT",
       .most_inputs = 3,
       .attributes = {until(19, integer("axis")), integer("inverse", 0), integer("onesided", 0)},
       .evaluate = dft,
       .types = fourier_type,
       .shapes = dft_shape},
      {.name = "STFT",
       .least_inputs = 2,
       .most_inputs = 4,
       .attributes = {integer("onesided", 1)},
       .evaluate = stft,
       .types = fourier_type,
       .shapes = stft_shape},
  };
}

}  // namespace opkit::reference
