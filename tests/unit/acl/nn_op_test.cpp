// Programs meet new versions of the ops that they call, while they call them.
#include "opkit/acl/nn_op.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "opkit/acl/runtime.h"
#include "registry/install.h"
#include "registry/upgrade.h"
#include "tests/unit/acl/schedulers.h"
#include "tests/unit/registry/packages.h"

namespace opkit::acl {
namespace {

using registry::this_host;

constexpr int64_t kElements = 64;

// Device memory and the tensors of one caller of AddRelu, whose plugins add their addend.
class Caller {
 public:
  Caller() {
    const int64_t dims[] = {kElements};
    aclrtMalloc(&x_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    const std::vector<float> zeros(kElements, 0);
    aclrtMemcpy(x_, kBytes, zeros.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
    in_ = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, x_);
    out_ = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, y_);
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
  // The addend that every element shows; -1: the call failed, -2: they differ.
  float run(aclOpExecutor* executor) {
    std::vector<float> y(kElements, -3);
    if (!executor || opkit_nn_run("AddRelu", nullptr, 0, executor, stream_) != ACLNN_SUCCESS ||
        aclrtSynchronizeStream(stream_) != ACL_SUCCESS)
      return -1;
    aclrtMemcpy(y.data(), kBytes, y_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    return std::count(y.begin(), y.end(), y[0]) == kElements ? y[0] : -2;
  }
  float call() { return run(plan()); }

 private:
  static constexpr size_t kBytes = kElements * sizeof(float);
  void *x_ = nullptr, *y_ = nullptr;
  aclTensor *in_ = nullptr, *out_ = nullptr;
  aclrtStream stream_ = nullptr;
};

class NnOpVersions : public registry::OppTest {
 protected:
  void SetUp() override {
    use(-1);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ::setenv("ASCEND_OPP_PATH", opp_.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    Runtime::instance().nn_ops = {};
    install(first_);
  }
  void TearDown() override {
    aclrtResetDevice(0);
    Runtime::instance().nn_ops = {};
  }

  registry::InstallRequest request(const registry::PackageSpec& spec, bool force = false) {
    const auto source = folder_.path() / ("source" + std::to_string(count_++));
    return {.source = write_package(source, spec), .opp = opp_, .force = force, .probe = false};
  }
  void install(const registry::PackageSpec& spec, bool force = false) {
    const auto done = registry::install(request(spec, force), this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }
  void upgrade() {
    const auto done = registry::upgrade(request(second_), this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }
  void roll_back(bool undo) {
    const auto done = registry::rollback({.opp = opp_, .op = "AddRelu", .undo = undo}, this_host());
    ASSERT_TRUE(done.ok()) << done.error().to_string();
  }

  const registry::PackageSpec first_{.plugin = "adds_1"};
  const registry::PackageSpec second_{.version = "1.2.0", .plugin = "adds_2"};
  const registry::PackageSpec other_first_{.plugin = "adds_3"};
  int count_ = 0;
};

TEST_F(NnOpVersions, TheNextCallIsServedByWhatServesNow) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  upgrade();
  EXPECT_EQ(caller.call(), 2);
  roll_back(false);
  EXPECT_EQ(caller.call(), 1);
  install(other_first_, true);
  EXPECT_EQ(caller.call(), 3) << "the same version, of other bytes";
}

TEST_F(NnOpVersions, AnExecutorKeepsTheVersionThatItWasPlannedFor) {
  Caller caller;
  aclOpExecutor* const planned = caller.plan();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(planned), ACLNN_SUCCESS);
  install(other_first_, true);
  EXPECT_EQ(caller.call(), 3);
  EXPECT_EQ(caller.run(planned), 1);
  EXPECT_EQ(aclDestroyAclOpExecutor(planned), ACLNN_SUCCESS);
}

TEST_F(NnOpVersions, ALibraryIsLetGoOfWithItsLastExecutor) {
  NnOps ops;
  std::weak_ptr<const NnOp> before;
  {
    auto op = ops.find("AddRelu", "Ascend910B1");
    ASSERT_TRUE(op.ok()) << op.error().to_string();
    EXPECT_EQ(*ops.find("AddRelu", "Ascend910B1"), *op);
    before = *op;
    upgrade();
    EXPECT_NE(*ops.find("AddRelu", "Ascend910B1"), *op);
    EXPECT_FALSE(before.expired());
  }
  EXPECT_TRUE(before.expired());
}

TEST_F(NnOpVersions, AnOpThatIsGoneIsNotServedFromMemory) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  std::filesystem::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu");
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  EXPECT_EQ(caller.plan(), nullptr);
  EXPECT_THAT(said(), testing::HasSubstr("OPK-REG-"));
}

TEST_F(NnOpVersions, AVersionThatDoesNotLoadIsToldEachTime) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  registry::write_installed(opp_, {.version = "1.2.0", .plugin = "null"});
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(caller.plan(), nullptr) << "the version before is not what was asked for";
    EXPECT_THAT(said(), testing::HasSubstr("OPK-PLUGIN-"));
  }
  std::filesystem::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu/1.2.0");
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  EXPECT_EQ(caller.call(), 1);
}

// OPKIT_SWAPS=100 by hand.
TEST_F(NnOpVersions, NoCallFailsOrMixesWhileVersionsAreSwapped) {
  const char* const asked = ::getenv("OPKIT_SWAPS");
  const int swaps = asked ? std::atoi(asked) : 10;
  upgrade();
  std::atomic<bool> over = false;
  std::atomic<int> calls = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t) {
    callers.emplace_back([&] {
      Caller caller;
      for (; !over; ++calls) {
        const float shown = caller.call();
        EXPECT_TRUE(shown == 1 || shown == 2) << shown << ": " << said();
      }
    });
  }
  Caller caller;
  for (int i = 0; i < swaps; ++i) {
    for (const int before = calls; calls < before + 4;) std::this_thread::yield();
    roll_back(i % 2 == 1);
    EXPECT_EQ(caller.call(), 1 + i % 2) << "swap " << i;
  }
  over = true;
  for (std::thread& one : callers) one.join();
  RecordProperty("calls", calls);
}

}  // namespace
}  // namespace opkit::acl
