// Pace: how long a plugin's answers may take. Before anything is known a limit is generous;
// measured answers of the run make it narrower, and a plugin that was too slow finds less patience
// until one of its launches ends again.
#ifndef OPKIT_ISOLATION_PACE_H_
#define OPKIT_ISOLATION_PACE_H_

#include <array>
#include <chrono>
#include <cstdint>

namespace opkit::isolation {

// What is asked of a worker, as far as its time depends on it.
struct Work {
  enum class Kind : uint8_t { kHostFunction, kLaunch, kObserved, kDry, kOther, kCount };
  Kind kind = Kind::kOther;
  uint64_t bytes = 0;    // counts the bytes of tensors
  uint32_t threads = 1;  // counts the threads of the host
};

class Pace {
 public:
  std::chrono::milliseconds limit(const Work& work) const;
  // An answer took so long.
  void learn(const Work& work, std::chrono::duration<double> took);
  // There was no answer within the limit.
  void too_slow() { was_too_slow_ = true; }

 private:
  // Holds the slowest answer of one kind so far.
  struct Slowest {
    bool known = false;
    double seconds = 0, seconds_per_byte = 0;
  };
  std::array<Slowest, static_cast<size_t>(Work::Kind::kCount)> slowest_;
  bool was_too_slow_ = false;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_PACE_H_
