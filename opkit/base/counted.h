// "1 problem", "2 problems": a number and what it counts.
#ifndef OPKIT_BASE_COUNTED_H_
#define OPKIT_BASE_COUNTED_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace opkit {

// `one` takes an s for any number but 1.
inline std::string counted(uint64_t number, std::string_view one) {
  return std::to_string(number) + ' ' + std::string(one) + (number == 1 ? "" : "s");
}

}  // namespace opkit

#endif  // OPKIT_BASE_COUNTED_H_
