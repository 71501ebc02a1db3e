// A program that calls AddRelu while versions of it come and go.
#ifndef OPKIT_TESTS_UNIT_ACL_OP_VERSIONS_H_
#define OPKIT_TESTS_UNIT_ACL_OP_VERSIONS_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/nn/nn_ops.h"
#include "registry/install.h"
#include "registry/upgrade.h"
#include "tests/unit/acl/schedulers.h"
#include "tests/unit/registry/packages.h"

namespace opkit::acl {

enum class Lies {
  kApart,
  kInPlace,      // the output has the input's memory
  kEverySecond,  // both are views of every second element of theirs
  kFractal       // both are 5 x 3 in FRACTAL_NZ: 15 elements in a fractal of 16 x 8
};

// Device memory and the tensors of one caller of AddRelu, whose plugins add their addend.
class Caller {
 public:
  // x: of every element.
  explicit Caller(float x = 0, Lies lies = Lies::kApart)
      : lies_(lies), step_(lies == Lies::kEverySecond ? 2 : 1) {
    aclrtMalloc(&x_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST);
    result_ = lies == Lies::kInPlace ? x_ : y_;
    const std::vector<float> all(elements(), x), gaps(elements(), kGap);
    aclrtMemcpy(y_, bytes(), gaps.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(x_, bytes(), all.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE);
    in_ = tensor(x_);
    out_ = tensor(result_);
    aclrtCreateStream(&stream_);
  }
  ~Caller() {
    aclrtDestroyStream(stream_);
    aclDestroyTensor(in_);
    aclDestroyTensor(out_);
    aclrtFree(x_);
    aclrtFree(y_);
  }
  Caller(const Caller&) = delete;

  aclOpExecutor* plan() {
    const opkit_nn_argument_v1 arguments[] = {{OPKIT_NN_TENSOR, in_, 0, 0},
                                              {OPKIT_NN_TENSOR, out_, 0, 0}};
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    opkit_nn_plan("AddRelu", arguments, 2, &workspace, &executor);
    return executor;
  }
  // Returns what every element shows; -1: the call failed, -2: they differ, or a gap was written.
  float run(aclOpExecutor* executor) {
    if (!executor || opkit_nn_run("AddRelu", nullptr, 0, executor, stream_) != ACLNN_SUCCESS ||
        aclrtSynchronizeStream(stream_) != ACL_SUCCESS)
      return -1;
    std::vector<float> y(elements());
    aclrtMemcpy(y.data(), bytes(), result_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST);
    for (size_t i = 0; i < y.size(); ++i) {
      if (is_padding(i)) continue;
      if (y[i] != (i % step_ == 0 ? y[0] : kGap)) return -2;
    }
    return y[0];
  }
  float call() { return run(plan()); }

 private:
  static constexpr int64_t kElements = 64;  // counts the elements of a view
  static constexpr float kGap = -3;
  static constexpr int64_t kRows = 5, kColumns = 3, kFractalRows = 16, kFractalColumns = 8;

  size_t elements() const {
    return lies_ == Lies::kFractal ? kFractalRows * kFractalColumns : kElements * step_;
  }
  bool is_padding(size_t i) const {
    return lies_ == Lies::kFractal &&
           (i / kFractalColumns >= kRows || i % kFractalColumns >= kColumns);
  }
  size_t bytes() const { return elements() * sizeof(float); }
  aclTensor* tensor(void* memory) const {
    if (lies_ == Lies::kFractal) {
      const int64_t dims[] = {kRows, kColumns}, strides[] = {kColumns, 1},
                    storage[] = {1, 1, kFractalRows, kFractalColumns};
      return aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_FRACTAL_NZ, storage, 4,
                             memory);
    }
    const int64_t dims[] = {kElements}, stride[] = {static_cast<int64_t>(step_)},
                  storage[] = {static_cast<int64_t>(elements())};
    return aclCreateTensor(dims, 1, ACL_FLOAT, stride, 0, ACL_FORMAT_ND, storage, 1, memory);
  }

  const Lies lies_;
  const size_t step_;
  void *x_ = nullptr, *y_ = nullptr, *result_ = nullptr;
  aclTensor *in_ = nullptr, *out_ = nullptr;
  aclrtStream stream_ = nullptr;
};

// What this process holds of plugins and of memory.
struct Held {
  size_t plugins = 0;  // libraries of AddRelu that are mapped
  size_t bytes = 0;    // resident

  static Held now() {
    Held held;
    std::set<std::string> mapped;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (line.find("libadd_relu.so") != std::string::npos)
        mapped.insert(line.substr(line.find('/')));
    }
    held.plugins = mapped.size();
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    held.bytes = pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    return held;
  }
};

// Memory that came since `early` stays small. A sanitizer keeps what was freed, and remembers what
// it has seen: there it is not judged.
inline void expect_flat(const Held& early) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(Held::now().bytes, early.bytes + (size_t{4} << 20)) << "of " << early.bytes;
#else
  static_cast<void>(early);
#endif
}

// How often versions are swapped under a stream of launches.
constexpr int kSwaps = 100;

// A program, and an OPP that is empty at first.
class OpVersions : public registry::OppTest {
 protected:
  void SetUp() override {
    use(-1);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ::setenv("ASCEND_OPP_PATH", opp_.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    nn_ops() = {};
  }
  void TearDown() override {
    aclrtResetDevice(0);
    nn_ops() = {};
  }

  registry::InstallRequest request(const registry::PackageSpec& spec, bool force = false) {
    const auto source = folder_.path() / ("source" + std::to_string(count_++));
    return {.source = write_package(source, spec), .opp = opp_, .force = force, .probe = false};
  }
  void install(const registry::PackageSpec& spec, bool force = false) {
    const auto done = registry::install(request(spec, force), registry::this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }
  void upgrade(const registry::PackageSpec& spec) {
    const auto done = registry::upgrade(request(spec), registry::this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }
  void roll_back(bool undo) {
    const auto done =
        registry::rollback({.opp = opp_, .op = "AddRelu", .undo = undo}, registry::this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }

 private:
  int count_ = 0;
};

}  // namespace opkit::acl

#endif  // OPKIT_TESTS_UNIT_ACL_OP_VERSIONS_H_
