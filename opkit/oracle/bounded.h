// Bounded: an oracle's tensor with, for each element, the interval of what a correct kernel may
// compute there before it rounds to the element type.
#ifndef OPKIT_ORACLE_BOUNDED_H_
#define OPKIT_ORACLE_BOUNDED_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "opkit/oracle/interval.h"
#include "opkit/oracle/zero_sign.h"
#include "opkit/reference/tensor.h"

namespace opkit::oracle {

struct Sum;

struct Bounded {
  reference::RefTensor value;    // the oracle's, in double
  std::vector<Interval> bounds;  // bound floats; empty: every element is exactly its value
  bool pending = false;          // a rounding to the working precision may or may not have happened
  // The value is a sum, to which a kernel may add further terms while it accumulates.
  std::shared_ptr<const Sum> open;
  ZeroSign zero_sign = ZeroSign::kOpen;  // tells the sign of the value's zeros

  bool is_exact() const { return bounds.empty(); }
  Interval at(int64_t i) const;
  // The ends as tensors, for the reference interpreter to evaluate.
  reference::RefTensor low() const;
  reference::RefTensor high() const;
  // max(|lo|, |hi|) and the largest distance of an end from the value; NaN ends give infinity.
  reference::RefTensor magnitude() const;
  reference::RefTensor radius() const;

  static Bounded exactly(reference::RefTensor value);
};

// Names the tensors of an evaluated contract ("x"; "x:1" is a further tensor of a dynamic port).
using BoundedTensors = std::map<std::string, Bounded>;

// How intermediate results may be held between the inputs and the stored outputs.
struct Working {
  DType dtype = DType::kFloat32;  // the narrowest: numeric.accumulate or the tensor's own type
  bool saturate = false;          // numeric.overflow
  bool unruled = false;  // operators without a rule count as exact: a tolerance was stated by hand
};

// Returns every value that c may have become by rounding to the working type, to float32 on the
// way, or not at all.
Interval settle(Interval c, const Working& working);
Bounded settle(const Bounded& tensor, const Working& working);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_BOUNDED_H_
