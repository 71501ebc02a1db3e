// The smallest scale of int8 values.
#ifndef OPKIT_QUANTIZE_LEAST_SCALE_H_
#define OPKIT_QUANTIZE_LEAST_SCALE_H_

namespace opkit::quantize {

// Products of two such scales are numbers of float32, still.
inline constexpr double kLeastScale = 0x1p-60;

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_LEAST_SCALE_H_
