// ResNet-50 with random weights in Fast mode against oneDNN on the same machine, which take turns
// frame by frame: resnet_bench BATCH THREADS FRAMES. With the packages of ASCEND_OPP_PATH. Prints
// medians (of the thread's own time with one thread) and, beside them, the largest difference of
// the results.
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

#include "opkit/atc/compile/compile.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "tests/bench/brief_spins.h"
#include "tests/bench/onednn_model.h"
#include "tests/models/networks.h"

namespace {

using namespace opkit;

[[noreturn]] void fail(const std::string& why) {
  fmt::print(stderr, "resnet_bench: {}\n", why);
  std::exit(1);
}

template <typename T>
T taken(Result<T> result) {
  if (!result.ok()) fail(result.error().to_string());
  return std::move(result).value();
}

double now(bool own) {
  timespec at;
  clock_gettime(own ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &at);
  return static_cast<double>(at.tv_sec) * 1e3 + static_cast<double>(at.tv_nsec) * 1e-6;
}

double peak_mib() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

class Contender {
 public:
  Contender(std::string name, std::function<void(const Tensor&, Tensor&)> run)
      : name_(std::move(name)), run_(std::move(run)) {}

  void frame(const Tensor& x, Tensor& y, bool own) {
    const double start = now(own);
    run_(x, y);
    milliseconds_.push_back(now(own) - start);
  }
  void forget() { milliseconds_.clear(); }
  const std::string& name() const { return name_; }
  double at(double share) {
    std::sort(milliseconds_.begin(), milliseconds_.end());
    return milliseconds_[static_cast<size_t>(share *
                                             static_cast<double>(milliseconds_.size() - 1))];
  }

 private:
  std::string name_;
  std::function<void(const Tensor&, Tensor&)> run_;
  std::vector<double> milliseconds_;
};

double largest_difference(const Tensor& a, const Tensor& b) {
  double most = 0, size = 0;
  for (int64_t i = 0; i < a.elements(); ++i) {
    most = std::max(most, std::abs(a.at(i) - b.at(i)));
    size = std::max(size, std::abs(b.at(i)));
  }
  return most / size;
}

Tensor image(int64_t batch) {
  std::mt19937 random(5);
  Tensor x(DType::kFloat32, {batch, 3, 224, 224}, "x");
  auto* const at = reinterpret_cast<float*>(x.data());
  for (int64_t i = 0; i < x.elements(); ++i)
    at[i] = static_cast<float>(random() >> 8) / static_cast<float>(1 << 23) - 1;
  return x;
}

struct Loaded {
  model_run::ModelRunner runner;
  model_run::ModelMemory memory;
};

Loaded load(const graph::Graph& graph, const InstalledOps& ops, compile::PrecisionMode precision,
            unsigned threads) {
  compile::Options options;
  options.candidates.soc = "Ascend910B1";
  options.precision.mode = precision;
  const compile::Compiled made = taken(compile::compile(graph, ops, options));
  const model_run::ModelMemory memory = model_run::memory_of(made.model());
  return {taken(model_run::ModelRunner::load(made.model(), ops, threads)), memory};
}

Contender emulated(const char* name, model_run::ModelRunner& runner) {
  return {name, [&runner](const Tensor& x, Tensor& y) {
            const std::byte* const from[] = {x.data()};
            std::byte* const to[] = {y.data()};
            const Status ran = runner.run(from, to);
            if (!ran.ok()) fail(ran.error().to_string());
          }};
}

Contender peer(const char* name, bench::OneDnnModel& model) {
  return {name, [&model](const Tensor& x, Tensor& y) {
            model.run(reinterpret_cast<const float*>(x.data()), reinterpret_cast<float*>(y.data()));
          }};
}

}  // namespace

int main(int argc, char** argv) {
  bench::spin_briefly(argv);
  if (argc != 4) fail("three numbers are wanted: batch, threads, frames");
  const int64_t batch = std::atoi(argv[1]);
  const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
  const int frames = std::atoi(argv[3]);
  omp_set_num_threads(static_cast<int>(threads));
  const char* const opp = std::getenv("ASCEND_OPP_PATH");
  const auto registry = registry::Registry::open(opp ? opp : "opp");
  const InstalledOps ops = InstalledOps::open(registry, "Ascend910B1");
  graph::Graph graph = taken(onnx_frontend::import_model(models::resnet50(batch)));
  Loaded single = load(graph, ops, compile::PrecisionMode::kOrigin, threads);
  Loaded half = load(graph, ops, compile::PrecisionMode::kHalf, threads);
  taken(passes::canonicalize(graph, passes::canonical_rewrites()));
  bench::OneDnnModel f32(graph, dnnl::memory::data_type::f32),
      bf16(graph, dnnl::memory::data_type::bf16);
  graph = {};
  const double before = peak_mib();
  std::vector<Contender> all = {
      peer("oneDNN float32", f32), emulated("opkit float32", single.runner),
      emulated("opkit float16", half.runner), peer("oneDNN bfloat16", bf16)};
  const Tensor x = image(batch);
  std::vector<Tensor> results(all.size(), Tensor(DType::kFloat32, {batch, 1000}, "y"));
  for (int frame = -1; frame < frames; ++frame) {
    for (size_t i = 0; i < all.size(); ++i) all[i].frame(x, results[i], threads == 1);
    if (frame < 0)
      for (Contender& one : all) one.forget();
  }
  const double peer_time = all[0].at(0.5);
  for (size_t i = 0; i < all.size(); ++i)
    fmt::print(
        "batch {} threads {} {:<16} p50 {:8.2f} ms  p95 {:8.2f}  ratio {:.2f}  off by {:.1e}\n",
        batch, threads, all[i].name(), all[i].at(0.5), all[i].at(0.95), all[i].at(0.5) / peer_time,
        largest_difference(results[i], results[0]));
  const auto mib = [](uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  fmt::print(
      "plan of float32: weights {:.1f} MiB, work {:.1f} MiB; peak of the process {:.1f}, {:.1f} "
      "before the frames\n",
      mib(single.memory.weights), mib(single.memory.work), peak_mib(), before);
}
