// Whether the reference says which sign a zero has. It does where a kernel has no choice: inputs
// that are moved or change their sign, products, one sum or difference of such. A maximum of two
// zeros, a step, a sum of many terms and whatever an inner rounding may have lost leave it open.
#ifndef OPKIT_ORACLE_ZERO_SIGN_H_
#define OPKIT_ORACLE_ZERO_SIGN_H_

#include <cstdint>

namespace opkit::oracle {

// Says where the sign of a zero comes from, in the order of how much a kernel is held to it.
enum class ZeroSign : uint8_t {
  kGiven,     // that of an input
  kConstant,  // that of a number of the contract, which a kernel may fold into another one
  kProduct,   // that of the factors
  kResult,    // that of a sum or a difference: further arithmetic in another order may change it
  kOpen,
};

// Tells whether a stored zero must have the sign that the reference gives it.
inline bool is_told(ZeroSign sign) {
  return sign != ZeroSign::kOpen && sign != ZeroSign::kConstant;
}

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_ZERO_SIGN_H_
