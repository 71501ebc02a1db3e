// The matrix of bottlenecks, evaluated on a profile: each pattern with what was measured, the limit
// and advice.
#ifndef OPKIT_MODEL_PROFILE_DIAGNOSIS_H_
#define OPKIT_MODEL_PROFILE_DIAGNOSIS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/model/profile/model_profile.h"

namespace opkit::model_profile {

enum class Judged : uint8_t { kFound, kClear, kNotJudged };
std::string_view name_of(Judged judged);

struct Symptom {
  std::string id;        // "gaps"
  std::string question;  // "the stream waits"
  Judged judged = Judged::kNotJudged;
  double share = 0, limit = 0;  // measure what `question` says; unless it was not judged
  std::string why = {};         // what it rests on, or why it was not judged
  std::string advice = {};      // tells what to do about one that was found
};

inline constexpr double kMostIdle = 0.10, kMostCopiesIn = 0.20, kMostPost = 0.25;
inline constexpr double kMostMemoryBound = 0.50;  // is a share of the kernels' time
// Is what int8 gains over the other model; and what overlapped frames gain.
inline constexpr double kLeastGain = 0.10;

// Returns all six, in the matrix' order. `other_ns`: the frame of the same model without int8.
std::vector<Symptom> diagnose(const ModelProfile& profile,
                              std::optional<uint64_t> other_ns = std::nullopt);

}  // namespace opkit::model_profile

#endif  // OPKIT_MODEL_PROFILE_DIAGNOSIS_H_
