// What the registry costs with a thousand ops: a list and a resolution, with and without what is
// remembered of packages that were found intact, and of resolutions; and whole commands, from their
// start to their end. Needs AddRelu (make ops).
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/package_form.h"
#include "registry/registry.h"

namespace {

using namespace opkit;
using namespace opkit::registry;
namespace fs = std::filesystem;

constexpr int kOps = 1000;

class Opp {
 public:
  Opp() {
    std::string name = (fs::temp_directory_path() / "opkit-bench-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directories(folder_ / "vendors");
    // As the installers leave it.
    good_ = OppLock::acquire(folder_, std::chrono::seconds(1)).ok() && fill();
  }
  Opp(const Opp&) = delete;
  ~Opp() { fs::remove_all(folder_); }

  bool good() const { return good_; }
  const fs::path& folder() const { return folder_; }
  Registry registry(bool remembers) const {
    return Registry(make_search_path(folder_, {}), HostFacts::of_this_process(),
                    remembers ? folder_ / "cache" : fs::path());
  }

 private:
  bool fill() {
    const Result<Resolution> found = Registry::open().resolve({.op = "AddRelu"});
    if (!found.ok()) return false;
    const Result<std::string> contract = read_file(found->package.contract_path());
    for (int i = 0; contract.ok() && i < kOps; ++i)
      if (!add(found->package, *contract, "Bench" + std::to_string(i))) return false;
    return contract.ok() && add_original(found->package);
  }
  // The others have its code, which knows its own name only.
  bool add_original(const Package& model) const {
    const Manifest& m = model.manifest;
    const fs::path place = package_folder(folder_, m.vendor, m.op, m.version);
    fs::create_directories(place.parent_path());
    fs::copy(model.root, place, fs::copy_options::recursive);
    return write_file(folder_ / "vendors/config.ini", "load_priority=bench," + m.vendor + "\n")
        .ok();
  }
  bool add(const Package& model, std::string contract, const std::string& op) const {
    const fs::path root = folder_ / "vendors/bench/op_pkg" / op / model.manifest.version;
    for (size_t at = 0; (at = contract.find("AddRelu", at)) != std::string::npos; at += op.size())
      contract.replace(at, 7, op);
    Manifest m = model.manifest;
    m.op = op;
    m.vendor = "bench";
    m.contract_sha256 = sha256_hex(contract);
    fs::create_directories((root / m.contract_file).parent_path());
    fs::create_directories((root / m.library_file).parent_path());
    fs::copy_file(model.library_path(), root / m.library_file);
    return write_file(root / m.contract_file, contract).ok() &&
           write_file(root / kManifestName, to_yaml(m)).ok();
  }

  fs::path folder_;
  bool good_ = false;
};

const Opp& opp() {
  static const Opp opp;
  return opp;
}

void list(benchmark::State& state) {
  if (!opp().good()) return state.SkipWithError("no AddRelu to copy: make ops");
  for (auto _ : state) {
    const auto all = opp().registry(state.range(0) != 0).list();
    if (all.size() != kOps + 1 || all.back().candidate.standing != Standing::kChosen)
      return state.SkipWithError("the copies are not usable");
  }
}

void resolve(benchmark::State& state) {
  if (!opp().good()) return state.SkipWithError("no AddRelu to copy: make ops");
  const Registry registry = opp().registry(state.range(0) != 0);
  for (auto _ : state) {
    if (!registry.resolve({.op = "Bench500"}).ok()) return state.SkipWithError("no Bench500");
  }
}

void find(benchmark::State& state) {
  if (!opp().good()) return state.SkipWithError("no AddRelu to copy: make ops");
  const Registry registry = opp().registry(true);
  for (auto _ : state) {
    if (!registry.find({.op = "Bench500"}).ok()) return state.SkipWithError("no Bench500");
  }
}

// A process that starts, asks for one op and ends.
void open_and_resolve(benchmark::State& state) {
  if (!opp().good()) return state.SkipWithError("no AddRelu to copy: make ops");
  for (auto _ : state) {
    if (!opp().registry(true).resolve({.op = "Bench500"}).ok())
      return state.SkipWithError("no Bench500");
  }
}

double processor_ms() {
  rusage used = {};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// A command that has been run before. `processor_ms`: its own processor time.
void command(benchmark::State& state, std::vector<std::string> words) {
  if (!opp().good()) return state.SkipWithError("no AddRelu to copy: make ops");
  ::setenv("OPKIT_CACHE_DIR", (opp().folder() / "cache").c_str(), 1);
  words.insert(words.begin(), OPKIT_BENCH_BINARY);
  words.insert(words.end(), {"--opp", opp().folder()});
  const auto run = [&] {
    const auto ended = run_program(words);
    return ended.ok() && ended->ok();
  };
  if (!run()) return state.SkipWithError("the command fails");
  const double before = processor_ms();
  for (auto _ : state)
    if (!run()) return state.SkipWithError("the command fails");
  state.counters["processor_ms"] =
      benchmark::Counter((processor_ms() - before), benchmark::Counter::kAvgIterations);
}

BENCHMARK(list)->ArgName("remembers")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(resolve)
    ->ArgName("remembers")
    ->Arg(0)
    ->Arg(1)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(find)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(open_and_resolve)->UseRealTime()->Unit(benchmark::kMicrosecond);

using Words = std::vector<std::string>;
void as_command(benchmark::internal::Benchmark* each) {
  each->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(command, list, Words{"list"})->Apply(as_command);
BENCHMARK_CAPTURE(command, why, Words{"why", "Bench500"})->Apply(as_command);
BENCHMARK_CAPTURE(command, infer,
                  Words{"infer", "AddRelu", "--shape", "x=8,16", "--shape", "y=8,16"})
    ->Apply(as_command);
BENCHMARK_CAPTURE(command, run, Words{"run", "AddRelu", "--shape", "x=8,16", "--shape", "y=8,16"})
    ->Apply(as_command);

}  // namespace

BENCHMARK_MAIN();
