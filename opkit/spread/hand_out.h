// HandOut: who does which job of a list, and what became of each. Jobs are independent; where one
// is done, and in which order they end, leaves no trace in the answers.
#ifndef OPKIT_SPREAD_HAND_OUT_H_
#define OPKIT_SPREAD_HAND_OUT_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::spread {

// Holds what became of a job: an answer, an error, or neither: nobody began it.
struct JobEnd {
  std::optional<std::string> answer;
  std::optional<Error> error;
};

// Makes the error of a job whose answer is none. `action`: how to do the job alone.
Error unreadable_answer(const std::string& job, const std::string& action);

class HandOut {
 public:
  // Limits how often a job is begun: what kills three processes kills a fourth.
  static constexpr size_t kMostAttempts = 3;

  explicit HandOut(size_t jobs);

  // Begins the next job of an idle worker; none: there is none left.
  std::optional<size_t> next(size_t worker);
  // Ends the worker's job. REQUIRES: it has one.
  void answer(size_t worker, std::string text);
  // Puts back the job of a worker whose process was lost. A job that was lost kMostAttempts times
  // ends with OPK-SPREAD-001.
  void lost(size_t worker, const std::string& why);

  size_t ended() const { return ended_; }
  size_t jobs() const { return ends_.size(); }
  size_t busy() const { return doing_.size(); }
  bool has_job(size_t worker) const { return doing_.count(worker) > 0; }
  // Returns the ends, by job.
  std::vector<JobEnd> take_ends() { return std::move(ends_); }

 private:
  std::vector<JobEnd> ends_;
  std::vector<size_t> attempts_;
  std::deque<size_t> waiting_;
  std::map<size_t, size_t> doing_;  // holds the job of each worker
  size_t ended_ = 0;
};

// Holds what a worker tells.
struct CrewEvent {
  enum class Kind {
    kAnswer,  // answers the job that it had
    kLost,    // the process that did the job; the worker can do others
    kGone     // the worker itself, with its job if it had one
  };
  size_t worker = 0;
  Kind kind = Kind::kAnswer;
  std::string text;  // the answer, or what happened
};

// Crew: workers, wherever they are.
class Crew {
 public:
  virtual ~Crew() = default;
  virtual size_t size() const = 0;
  // Lets an idle worker begin a job.
  virtual void give(size_t worker, size_t job) = 0;
  // Waits until a worker tells something. REQUIRES: one is busy.
  virtual CrewEvent wait() = 0;
};

struct WorkOffOptions {
  // Says whether a further job may be begun.
  std::function<bool()> may_begin = [] { return true; };
  // Called after every end of a job.
  std::function<void(const HandOut& list)> progress = [](const HandOut&) {};
};

// Lets the crew do all jobs. Jobs that nobody is left for have no end.
std::vector<JobEnd> work_off(size_t jobs, Crew& crew, const WorkOffOptions& options = {});

}  // namespace opkit::spread

#endif  // OPKIT_SPREAD_HAND_OUT_H_
