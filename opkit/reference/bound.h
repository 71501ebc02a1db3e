// Bound: how far a correct kernel may be from the exact result of an operator. Plain data; what a
// rule does with intervals stands in opkit/oracle.
//
// Sources of the figures: "950" = the accuracy stated for register-vector arithmetic of the 950
// (exp, ln, sqrt and div within 1 ulp). "allowed" = the calls' pages say that the last bits
// are not stated or that the instruction approximates; opkit then allows what its documented
// building blocks add up to. Composed functions (tanh, erf, gelu) cancel near 0 or in their tail,
// which the absolute part covers.
#ifndef OPKIT_REFERENCE_BOUND_H_
#define OPKIT_REFERENCE_BOUND_H_

#include <string_view>

namespace opkit::reference {

enum class BoundRule {
  kNone,        // no bound is known
  kMove,        // moves or selects elements; monotone steps
  kRising,      // a rising function of one real number
  kSmooth,      // a function with a bounded slope
  kArithmetic,  // Add, Sub, Mul, Div
  kPower,
  kFold,  // Sum, Mean of inputs
  kNegate,
  kMagnitude,
  kReciprocal,
  kSum,          // reductions, average pools
  kProduct,      // MatMul, Gemm, Conv
  kFactors,      // ReduceProd
  kContraction,  // Einsum: any number of operands
  kResample,     // Resize: the nearest element, or weighted neighbours
  kScatter,      // ScatterElements, ScatterND: what is left, or sums with it
  kRank,         // TopK: values, and where they lie
  kCompare,
  kCertain,  // no rounding, and nothing is promised of operands that are not certain
  kSelect,   // Where
  kCast,
  kComposed,  // the rule of the formula that the operator stands for
};

struct Bound {
  BoundRule rule = BoundRule::kNone;
  bool exact = false;            // selects or moves: commutes with every rounding of its operands
  double ulps = 0;               // error of the chip's function, in ulps of the working type
  double absolute = 0;           // further error, in units of the working type at 1
  double slope = 1;              // bound of the slope, for functions that are not monotone
  std::string_view source = {};  // where the error comes from

  static Bound moved() { return {.rule = BoundRule::kMove, .exact = true, .source = "exact"}; }
  // Monotone, but a rounding before the step may move it.
  static Bound stepped() { return {.rule = BoundRule::kMove, .source = "exact"}; }
  static Bound rising(double ulps, double absolute, std::string_view source = "allowed") {
    return {.rule = BoundRule::kRising, .ulps = ulps, .absolute = absolute, .source = source};
  }
  static Bound smooth(double slope, double ulps, double absolute) {
    return {.rule = BoundRule::kSmooth,
            .ulps = ulps,
            .absolute = absolute,
            .slope = slope,
            .source = "allowed"};
  }
  static Bound by(BoundRule rule, std::string_view source, double ulps = 0) {
    return {.rule = rule, .ulps = ulps, .source = source};
  }
  static Bound exactly_by(BoundRule rule) {
    return {.rule = rule, .exact = true, .source = "exact"};
  }
  static Bound arithmetic(double ulps = 0) {
    return by(BoundRule::kArithmetic, ulps > 0 ? "950" : "correctly rounded", ulps);
  }
  static Bound summed() { return by(BoundRule::kSum, "n roundings"); }
  static Bound multiplied() { return by(BoundRule::kProduct, "n roundings"); }
  static Bound compared() { return by(BoundRule::kCompare, "exact"); }
  static Bound certain() { return by(BoundRule::kCertain, "exact"); }
  static Bound composed() { return by(BoundRule::kComposed, "composed"); }
};

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_BOUND_H_
