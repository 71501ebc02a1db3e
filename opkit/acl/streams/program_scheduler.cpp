#include "opkit/acl/streams/program_scheduler.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "opkit/acl/base/environment.h"
#include "opkit/acl/base/program.h"

namespace opkit::acl {
namespace {

struct Chosen {
  std::once_flag once;
  std::unique_ptr<Scheduler> scheduler;
};

Chosen& chosen() {
  static Chosen& own = *new Chosen;
  return own;
}

[[noreturn]] void end_streams(const std::string& word) {
  end_process(Error("OPK-LAUNCH-014", "OPKIT_STREAMS is '" + word + "'",
                    "set it to concurrent, immediate or a seed: a number from 1"));
}

// Called by exit(). The program's objects go from here on: what streams still can do is done, so
// that its faults are not missed, and the rest never is.
void end_work(int, void*) {
  Scheduler& scheduler = the_scheduler();
  const size_t count = scheduler.unfinished();
  if (count == 0) return;
  // Runs in a thread of its own: the objects of this one are gone already.
  std::thread([&] {
    scheduler.drain();
    scheduler.close();
  }).join();
  std::fprintf(stderr,
               "opkit: the program ended before %zu task(s) of its streams were done; call "
               "aclrtSynchronizeStream first\n",
               count);
}

}  // namespace

Scheduler& the_scheduler() {
  Chosen& own = chosen();
  std::call_once(own.once, [&own] {
    if (!own.scheduler) own.scheduler = scheduler_of_environment();
    // What the reader of YAML keeps is made before the handler is known, and goes after it.
    program_soc();
    on_exit(end_work, nullptr);
  });
  return *own.scheduler;
}

void use_scheduler(std::unique_ptr<Scheduler> scheduler) {
  chosen().scheduler = std::move(scheduler);
}

std::unique_ptr<Scheduler> scheduler_of_environment() {
  const std::string word = from_environment("OPKIT_STREAMS");
  if (word.empty() || word == "concurrent") return make_concurrent_scheduler();
  if (word == "immediate") return make_immediate_scheduler();
  uint64_t seed = 0;
  const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (failure != std::errc() || stop != word.data() + word.size() || seed == 0) end_streams(word);
  return make_seeded_scheduler(seed);
}

}  // namespace opkit::acl
