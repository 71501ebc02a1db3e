// What formulas for rows::Reducer have in common that find one number of every row (rows.h): they
// add Finish, and Join where elements are not taken as they are.
#ifndef OPS_SHARED_ONE_NUMBER_H_
#define OPS_SHARED_ONE_NUMBER_H_

#include "rows.h"

namespace rows {

using namespace AscendC;

template <Reduction kHow>
struct OneNumber {
  static constexpr uint32_t kNumbers = 1;

  __aicore__ static constexpr Reduction How(uint32_t) { return kHow; }
  __aicore__ inline LocalTensor<float> Join(Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  __aicore__ inline LocalTensor<float> Prepare(Unit&, uint32_t, const LocalTensor<float>&,
                                               const LocalTensor<float>& x) const {
    return x;
  }
};

}  // namespace rows

#endif  // OPS_SHARED_ONE_NUMBER_H_
