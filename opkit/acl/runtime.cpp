#include "opkit/acl/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "opkit/acl/environment.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

constexpr const char* kDefaultSoc = "Ascend910B1";  // what `opkit cc` takes without --soc

// The chip that the program's kernels were compiled for; empty: it has none.
std::string soc_of_kernels(const Program& program) {
  for (const opkit_program_v1& table : program.tables)
    if (table.kernel_count != 0) return table.soc;
  return {};
}

// Chooses the chip of a program without kernels: $OPKIT_SOC, else what `opkit cc` was told.
SocMatch soc_of_environment(const Program& program) {
  const std::string word = from_environment("OPKIT_SOC");
  const std::string built = program.tables.empty() ? kDefaultSoc : program.tables[0].soc;
  Result<SocMatch> named = find_soc(word.empty() ? built : word);
  if (named.ok()) return *std::move(named);
  std::fprintf(stderr, "OPKIT_SOC: %s\n", named.error().to_string().c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

// A program that ignores the codes of its calls must not look like one that succeeded.
void end_of_process(int status, void*) {
  const std::string report = Runtime::instance().faults.report();
  if (status != 0 || report.empty()) return;
  std::fprintf(stderr, "%s; the program ends with exit code 1\n", report.c_str());
  std::fflush(nullptr);
  _Exit(1);
}

// The program's objects go from here on: what streams still can do is done, so that its faults are
// not missed, and the rest never is.
void end_work(int, void*) {
  Scheduler& scheduler = Runtime::instance().scheduler();
  const size_t count = scheduler.unfinished();
  if (count == 0) return;
  // This thread's own objects are gone already.
  std::thread([&] {
    scheduler.drain();
    scheduler.close();
  }).join();
  std::fprintf(stderr,
               "opkit: the program ended before %zu task(s) of its streams were done; call "
               "aclrtSynchronizeStream first\n",
               count);
}

// Registered before anything of the program, so that it runs after all of it.
__attribute__((constructor)) void watch_exit() { on_exit(end_of_process, nullptr); }

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

opk_soc_v1 Runtime::soc() const {
  const std::string compiled = soc_of_kernels(program);
  if (compiled.empty()) return to_abi(*soc_of_environment(program).spec);
  const auto named = find_soc(compiled);
  return to_abi(*(named.ok() ? named : find_soc(kDefaultSoc))->spec);
}

Scheduler& Runtime::scheduler() {
  std::call_once(scheduled_, [this] {
    if (!scheduler_) scheduler_ = scheduler_of_environment();
    soc();  // what the reader of YAML keeps is made before the handler is known, and goes after it
    on_exit(end_work, nullptr);
  });
  return *scheduler_;
}

Device& Runtime::device() {
  if (!device_) device_ = std::make_unique<Device>(soc());
  return *device_;
}

}  // namespace opkit::acl
