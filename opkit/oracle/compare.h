// Comparing an output with its oracle, element by element.
#ifndef OPKIT_ORACLE_COMPARE_H_
#define OPKIT_ORACLE_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/contract/op_contract.h"
#include "opkit/oracle/accept.h"
#include "opkit/oracle/section.h"

namespace opkit::oracle {

struct WrongElement {
  std::vector<int64_t> index;
  int64_t element = 0;           // is the row-major place of `index`
  double got = 0, expected = 0;  // expected: what an ideal kernel stores
  double lo = 0, hi = 0;         // what would have been accepted
  double ulps = 0;  // distance from expected in ulps of the stored type; integers: 1 each
};

// The vendor's community rule (MERE and MARE of the op repositories), printed beside the verdict.
struct VendorRule {
  double mere = 0, mare = 0;  // mean and maximal relative error
  double threshold = 0;       // 0: integers, exact
  bool passes = true;
};

struct Comparison {
  std::string output;
  size_t port = 0;  // is a place in the contract's outputs
  int64_t elements = 0;
  int64_t wrong = 0;                // outside their interval
  int64_t wrong_nan = 0;            // counts NaN on one side only
  int64_t wrong_inf = 0;            // counts infinity on one side only
  int64_t wrong_zero = 0;           // counts zeros of the other sign
  int64_t untouched = 0;            // counts elements that are still poisoned
  int64_t unbounded = 0;            // elements for which the reference promises nothing
  std::vector<WrongElement> worst;  // holds at most five, the farthest first
  double max_ulps = 0;              // largest distance from ideal, accepted or not
  double bias = 0;      // mean signed distance in ulps, at most one each, of what needs rounding
  int64_t inexact = 0;  // their number
  // Median accepted width over the largest, of finite results; of tensors of more than a million
  // elements a sample counts.
  double tolerance_share = 0;
  VendorRule vendor;
  bool manual_tolerance = false;
  // Kernels without any computation that would pass: "zeros", "copy of x", "constant".
  std::vector<std::string> trivial;
  // Counts, among elements that the kernel rounds or approximates, how many lie how far from the
  // exact value, in tenths of the accepted distance. The last entry counts those beyond it. Where
  // no element uses half of the distance, the bound is loose.
  std::vector<int64_t> bound_used;
  std::vector<int64_t> histogram;  // counts |distance| in ulps: 0, <=0.5, <=1, <=2, <=4, <=8, more

  bool ok() const { return wrong == 0; }
};

// One output compared as a whole or in parts, which may be taken by different threads and are then
// merged in order.
class OutputComparer {
 public:
  // Borrows everything. `inputs`: of the call, for kernels that would copy one.
  OutputComparer(const OpContract& contract, size_t column, const Tensor& got,
                 const std::vector<std::vector<Tensor>>& inputs);
  // For a part of the same output. The part with the first element comes, and is merged, first.
  OutputComparer for_part() const;

  // REQUIRES: `expected` is what the oracle says of that section; dtypes agree.
  void take(const Bounded& expected, const Section& section);
  void merge(const OutputComparer& later);
  Comparison finish();

 private:
  void take(int64_t i, const Interval& expected, double value);
  bool has_other_sign(double got, double ideal, const Interval& accepted) const;
  void note_distance(double off, bool inexact);
  void note_use(double got, double value, const Interval& accepted);
  void note_vendor(double got, double ideal);
  void note_wrong(int64_t i, double got, double ideal, const Interval& accepted, double ulps);
  void note_share(int64_t i, double value, const Interval& accepted);
  void note_trivial(int64_t i, const Interval& accepted);
  void keep_worst(WrongElement wrong);
  bool overflows(double value) const;
  void finish_vendor();
  void finish_share();
  void finish_trivial();

  Acceptance accept_;
  const Tensor* got_;
  Comparison result_;
  double signed_sum_ = 0, relative_sum_ = 0;
  int64_t finite_ = 0;
  std::vector<double> widths_;
  double largest_ = 0;           // finite result
  std::optional<double> first_;  // what an ideal kernel stores in the first element
  bool zeros_ = true, constant_ = true;
  bool zero_signs_ = false;            // the reference says which sign a zero has
  std::vector<const Tensor*> copies_;  // inputs that the output may still be
};

// REQUIRES: shapes and dtypes agree.
Comparison compare(const OpContract& contract, size_t column, const Tensor& got,
                   const Bounded& expected, const std::vector<std::vector<Tensor>>& inputs);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_COMPARE_H_
