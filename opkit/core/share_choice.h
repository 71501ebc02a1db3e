// ShareChoice: whether a launch is shared with other host threads or run by the caller alone. To
// hand work to another thread costs microseconds, which short launches do not repay; which of the
// two is quicker is learnt from the launches themselves. Results are the same either way.
#ifndef OPKIT_CORE_SHARE_CHOICE_H_
#define OPKIT_CORE_SHARE_CHOICE_H_

#include <array>
#include <chrono>
#include <cstdint>

namespace opkit::core {

class ShareChoice {
 public:
  using Duration = std::chrono::nanoseconds;
  // A shared launch that takes longer than this is never tried alone.
  static constexpr Duration kShort{15'000};
  // After so many launches the slower way is tried once more, as the work may have changed.
  static constexpr uint32_t kTryAgain = 64;

  // Launches of one kernel with one number of blocks, which likely take the same time.
  struct Kind {
    const void* entry = nullptr;
    uint32_t blocks = 0;
    Duration shared{0}, alone{0};  // are times of the last launch of each sort; 0: none yet
    uint32_t launches = 0;

    bool wants_sharing() const {
      if (shared == Duration{0}) return true;
      if (alone == Duration{0}) return shared > kShort;
      const bool again = launches % kTryAgain == 0 && (shared < kShort || alone > shared);
      return (shared < alone) != again;
    }
    void took(bool was_shared, Duration time) {
      (was_shared ? shared : alone) = time;
      ++launches;
    }
  };

  // Returns the kind of a launch; another kind that had its place is forgotten.
  Kind& of(const void* entry, uint32_t blocks) {
    Kind& kind = kinds_[(reinterpret_cast<uintptr_t>(entry) / 16 + blocks) % kinds_.size()];
    if (kind.entry != entry || kind.blocks != blocks) kind = {entry, blocks, {}, {}, 0};
    return kind;
  }

 private:
  std::array<Kind, 32> kinds_{};
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_SHARE_CHOICE_H_
