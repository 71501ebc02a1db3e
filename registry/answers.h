// Answers: what was resolved a moment ago, for processes that resolve without end. An answer holds
// until an installer of the OPP ends, and for kHolds at most, so that what is changed by hand is
// seen then.
#ifndef OPKIT_REGISTRY_ANSWERS_H_
#define OPKIT_REGISTRY_ANSWERS_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "registry/opp_watch.h"
#include "registry/query.h"

namespace opkit::registry {

// Nanoseconds of a clock that only goes forward.
int64_t coarse_now();

class Answers {
 public:
  static constexpr std::chrono::milliseconds kHolds{10};
  static constexpr size_t kMost = 4096;

  explicit Answers(std::filesystem::path opp) : watch_(std::move(opp)) {}

  // Returns the OPP's generation. Ask for it before the directories are read.
  std::optional<uint64_t> generation();
  std::shared_ptr<const Resolution> find(const Query& query, int64_t now = coarse_now());
  void keep(const Query& query, std::shared_ptr<const Resolution> resolution,
            std::optional<uint64_t> generation, int64_t now = coarse_now());

 private:
  struct Answer {
    std::shared_ptr<const Resolution> resolution;
    std::optional<uint64_t> generation;
    int64_t until = 0;
  };

  std::mutex mutex_;
  OppWatch watch_;
  std::map<Query, Answer> all_;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_ANSWERS_H_
