#include "opkit/spread/hand_out.h"

#include <fmt/format.h>

#include <set>

namespace opkit::spread {

HandOut::HandOut(size_t jobs) : ends_(jobs), attempts_(jobs) {
  for (size_t job = 0; job < jobs; ++job) waiting_.push_back(job);
}

std::optional<size_t> HandOut::next(size_t worker) {
  if (waiting_.empty()) return std::nullopt;
  const size_t job = waiting_.front();
  waiting_.pop_front();
  doing_[worker] = job;
  ++attempts_[job];
  return job;
}

Error unreadable_answer(const std::string& job, const std::string& action) {
  return Error("OPK-SPREAD-001", "the answer of " + job + " cannot be read", action);
}

void HandOut::answer(size_t worker, std::string text) {
  ends_[doing_.at(worker)].answer = std::move(text);
  doing_.erase(worker);
  ++ended_;
}

void HandOut::lost(size_t worker, const std::string& why) {
  const size_t job = doing_.at(worker);
  doing_.erase(worker);
  if (attempts_[job] < kMostAttempts) return waiting_.push_front(job);
  ends_[job].error =
      Error("OPK-SPREAD-001",
            fmt::format("job {} of {} was begun {} times, and its process was lost each time: {}",
                        job + 1, ends_.size(), attempts_[job], why),
            "do this job alone, to see what ends it");
  ++ended_;
}

std::vector<JobEnd> work_off(size_t jobs, Crew& crew, const WorkOffOptions& options) {
  HandOut list(jobs);
  std::set<size_t> idle;
  for (size_t worker = 0; worker < crew.size(); ++worker) idle.insert(worker);
  const auto begin_all = [&] {
    for (auto worker = idle.begin(); worker != idle.end() && options.may_begin();) {
      const auto job = list.next(*worker);
      if (!job) return;
      crew.give(*worker, *job);
      worker = idle.erase(worker);
    }
  };
  for (begin_all(); list.busy() > 0; begin_all()) {
    CrewEvent event = crew.wait();
    if (event.kind == CrewEvent::Kind::kGone) idle.erase(event.worker);
    if (!list.has_job(event.worker)) continue;
    if (event.kind == CrewEvent::Kind::kAnswer)
      list.answer(event.worker, std::move(event.text));
    else
      list.lost(event.worker, event.text);
    if (event.kind != CrewEvent::Kind::kGone) idle.insert(event.worker);
    options.progress(list);
  }
  return list.take_ends();
}

}  // namespace opkit::spread
