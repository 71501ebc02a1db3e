// Score: what a tuner makes as small as it can: a sum of products over counters of a candidate.
#ifndef OPKIT_TUNING_SCORE_H_
#define OPKIT_TUNING_SCORE_H_

#include <memory>
#include <string>

#include "opkit/base/status.h"
#include "opkit/tuning/row.h"

namespace opkit::tuning {

class Score {
 public:
  // The time alone.
  Score() = default;
  // "latency", "source" (0.5 * latency + 0.3 / throughput + 0.2 * memory), or an expression of +,
  // -,
  // *, /, parentheses, numbers and the counters latency (us), throughput (calls each us), memory
  // (MiB through global memory), workspace (MiB), blocks, cycles, instructions. Error:
  // OPK-TUNE-006.
  static Result<Score> parse(const std::string& text);

  double of(const TuningRow& row) const;
  bool is_latency() const { return text_ == "latency"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "latency";
};

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_SCORE_H_
