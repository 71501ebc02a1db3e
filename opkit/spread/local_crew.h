// LocalCrew: workers that are processes of this machine. Each job has a process of its own, a fork
// of this one, so that what ends it loses nothing else.
#ifndef OPKIT_SPREAD_LOCAL_CREW_H_
#define OPKIT_SPREAD_LOCAL_CREW_H_

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "opkit/spread/hand_out.h"

namespace opkit::spread {

// Does one job and returns its answer. Called in a fork.
using DoJob = std::function<std::string(size_t job)>;

class LocalCrew : public Crew {
 public:
  LocalCrew(size_t workers, DoJob do_job);
  ~LocalCrew() override;  // ends what still runs
  LocalCrew(const LocalCrew&) = delete;
  LocalCrew& operator=(const LocalCrew&) = delete;

  size_t size() const override { return workers_.size(); }
  // REQUIRES: no other thread of this process holds a lock that the job needs.
  void give(size_t worker, size_t job) override;
  CrewEvent wait() override;
  // Waits for at most so many milliseconds. Returns false where nothing was told.
  bool wait_for(int milliseconds, CrewEvent& event);

 private:
  struct Worker {
    pid_t child = -1;
    int from = -1;       // what the child writes: its answer, then its end
    std::string answer;  // so far
    std::string failed;  // why no child could be started
  };
  bool take(size_t worker, CrewEvent& event);
  CrewEvent end_of(size_t worker);

  std::vector<Worker> workers_;
  DoJob do_job_;
};

}  // namespace opkit::spread

#endif  // OPKIT_SPREAD_LOCAL_CREW_H_
