// Limits: what a worker may take.
#ifndef OPKIT_ISOLATION_LIMITS_H_
#define OPKIT_ISOLATION_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace opkit::isolation {

struct Limits {
  // Bounds one answer. 0: by what is asked and what was measured (see Pace).
  std::chrono::milliseconds time{0};
  uint64_t memory = 0;  // bytes of the worker; 0: three quarters of what is allowed
  uint64_t output = uint64_t{16} << 20;   // bytes printed during one answer
  uint64_t answer = uint64_t{256} << 20;  // bytes of one answer
  std::string memory_said;                // why so much, a sentence; set by complete()
};

// Returns the limits with every 0 filled in.
Limits complete(Limits limits);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_LIMITS_H_
