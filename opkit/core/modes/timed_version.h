// Gives the model of time a version: what was modelled by another one is modelled anew.
#ifndef OPKIT_CORE_MODES_TIMED_VERSION_H_
#define OPKIT_CORE_MODES_TIMED_VERSION_H_

#include <cstdint>

namespace opkit::core {

// Raise it with every change after which the same launch on the same chip takes other cycles.
inline constexpr uint32_t kTimedVersion = 1;

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_TIMED_VERSION_H_
