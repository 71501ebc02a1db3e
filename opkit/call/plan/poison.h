// What memory holds that nobody has written.
#ifndef OPKIT_CALL_PLAN_POISON_H_
#define OPKIT_CALL_PLAN_POISON_H_

namespace opkit {

// Fills every byte: a NaN in every float type, -1 in every integer type.
inline constexpr unsigned char kPoison = 0xff;

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_POISON_H_
