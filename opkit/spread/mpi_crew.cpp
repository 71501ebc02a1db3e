#include "opkit/spread/mpi_crew.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace opkit::spread {
namespace {

// Names the first letter of a message: a list's digest, a job, its answer, a loss, the end.
constexpr char kList = 'H', kJob = 'J', kAnswer = 'A', kLoss = 'L', kNoMore = 'E';
constexpr int kPollMs = 2;

struct Letter {
  int from = 0;
  std::string text;
  char kind() const { return text.empty() ? '\0' : text[0]; }
  std::string rest() const { return text.empty() ? text : text.substr(1); }
};

// 1: a letter; 0: none; below 0: MPI has failed.
int poll_letter(const opkit_mpi_v1& mpi, Letter& letter) {
  const char* bytes = nullptr;
  size_t size = 0;
  const int got = mpi.poll(&letter.from, &bytes, &size);
  if (got > 0) letter.text.assign(bytes, size);
  return got;
}

void send_letter(const opkit_mpi_v1& mpi, int to, char kind, const std::string& rest) {
  const std::string text = kind + rest;
  mpi.send(to, text.data(), text.size());
}

Error mpi_failed() {
  return Error("OPK-SPREAD-004", "MPI has failed between two messages",
               "start again: what was measured is kept, and is not measured again");
}

void pause_polling() { std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs)); }

}  // namespace

MpiCrew::~MpiCrew() {
  for (int rank = 1; rank < mpi_.ranks; ++rank) send_letter(mpi_, rank, kNoMore, "");
}

Status MpiCrew::meet(const std::string& digest) {
  for (int met = 1; met < mpi_.ranks;) {
    Letter letter;
    const int got = poll_letter(mpi_, letter);
    if (got < 0) return mpi_failed();
    if (got == 0) {
      pause_polling();
      continue;
    }
    if (letter.kind() != kList || letter.rest() != digest)
      return Error("OPK-SPREAD-003",
                   fmt::format("rank {} has another list of jobs than rank 0", letter.from),
                   "give every machine the same opkit, packages, model and command line");
    ++met;
  }
  return {};
}

void MpiCrew::give(size_t worker, size_t job) {
  if (worker > 0) return send_letter(mpi_, static_cast<int>(worker), kJob, std::to_string(job));
  own_busy_ = true;
  own_.give(0, job);
}

CrewEvent MpiCrew::wait() {
  while (true) {
    CrewEvent event;
    if (own_busy_ ? own_.wait_for(kPollMs, event) : (pause_polling(), false)) {
      own_busy_ = false;
      return event;
    }
    Letter letter;
    const int got = poll_letter(mpi_, letter);
    if (got < 0 && gone_ + 1 < mpi_.ranks)  // rank 0 goes on alone
      return {static_cast<size_t>(++gone_), CrewEvent::Kind::kGone, "MPI has failed"};
    if (got <= 0) continue;
    const auto kind = letter.kind() == kAnswer ? CrewEvent::Kind::kAnswer : CrewEvent::Kind::kLost;
    return {static_cast<size_t>(letter.from), kind, letter.rest()};
  }
}

Status help(const opkit_mpi_v1& mpi, const std::string& digest, const DoJob& do_job) {
  LocalCrew own(1, do_job);
  send_letter(mpi, 0, kList, digest);
  while (true) {
    Letter letter;
    const int got = poll_letter(mpi, letter);
    if (got < 0) return mpi_failed();
    if (got > 0 && letter.kind() == kNoMore) return {};
    if (got == 0) {
      pause_polling();
      continue;
    }
    own.give(0, static_cast<size_t>(std::strtoull(letter.rest().c_str(), nullptr, 10)));
    const CrewEvent event = own.wait();
    send_letter(mpi, 0, event.kind == CrewEvent::Kind::kAnswer ? kAnswer : kLoss, event.text);
  }
}

}  // namespace opkit::spread
