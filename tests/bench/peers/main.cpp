// peers [--samples N] [--threads N] [--type float32|float16] [--alone] [words]: opkit's fused ops
// beside the best that this machine has for CPUs, in one run: medians and ratios. Words choose the
// cases whose names hold them; --alone leaves the others out, for a profiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/bench/brief_spins.h"
#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

struct Asked {
  size_t samples = 21;
  std::vector<unsigned> threads = {1, 2};
  std::vector<DType> types = {DType::kFloat32, DType::kFloat16};
  bool alone = false;
  std::vector<std::string> words;

  bool wants(const std::string& name) const {
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
             return name.find(word) != std::string::npos;
           });
  }
};

[[noreturn]] void refuse(const char* word) {
  std::fprintf(stderr,
               "peers: %s is not known, or lacks its value\n  try: peers [--samples N] "
               "[--threads N] [--type float32|float16] [--alone] [words]\n",
               word);
  std::exit(2);
}

DType type_of(const char* name) {
  if (std::strcmp(name, "float32") == 0) return DType::kFloat32;
  if (std::strcmp(name, "float16") == 0) return DType::kFloat16;
  refuse(name);
}

Asked asked_of(int argc, char** argv) {
  Asked asked;
  for (int i = 1; i < argc; ++i) {
    const bool value = i + 1 < argc;
    if (std::strcmp(argv[i], "--samples") == 0 && value)
      asked.samples = static_cast<size_t>(std::max(std::atoi(argv[++i]), 1));
    else if (std::strcmp(argv[i], "--threads") == 0 && value)
      asked.threads = {static_cast<unsigned>(std::max(std::atoi(argv[++i]), 1))};
    else if (std::strcmp(argv[i], "--type") == 0 && value)
      asked.types = {type_of(argv[++i])};
    else if (std::strcmp(argv[i], "--alone") == 0)
      asked.alone = true;
    else if (argv[i][0] == '-')
      refuse(argv[i]);
    else
      asked.words.emplace_back(argv[i]);
  }
  return asked;
}

bool measure_all(const std::vector<Case>& cases, const Asked& asked) {
  bool agree = true;
  for (const Case& one : cases) {
    if (!asked.wants(one.name)) continue;
    for (const DType dtype : asked.types) {
      for (const unsigned threads : asked.threads) {
        set_threads(threads);
        Contest contest = one.make(dtype, threads);
        contest.name = one.name;
        if (asked.alone && contest.missing.empty()) contest.entrants.resize(1);
        agree &= measure(contest, threads, asked.samples, dtype == DType::kFloat32 ? 1e-4 : 2e-2);
      }
    }
  }
  return agree;
}

int run(int argc, char** argv) {
  const Asked asked = asked_of(argc, argv);
  const dnnl_version_t* version = dnnl::version();
  std::printf("oneDNN %d.%d.%d; medians of %zu samples; ratio: how many times as fast opkit is\n",
              version->major, version->minor, version->patch, asked.samples);
  std::printf("%-36s %-8s %7s  %-34s %11s  %6s  goal\n", "case", "type", "threads", "who", "us",
              "ratio");
  bool agree = true;
  for (const auto& cases : {elementwise_cases(), product_cases(), convolution_cases(),
                            separable_cases(), embedding_cases()})
    agree &= measure_all(cases, asked);
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace opkit::peers

int main(int argc, char** argv) {
  opkit::bench::spin_briefly(argv);
  return opkit::peers::run(argc, argv);
}
