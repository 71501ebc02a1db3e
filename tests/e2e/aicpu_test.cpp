// An op that runs on a processor of the host, from its sources to a model that only it takes.
#include <filesystem>

#include "npy.h"
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOm = "net.om";

// The sample op, built once for all of these.
class Aicpu : public OpkitTest {
 protected:
  static void SetUpTestSuite() {
    built_ = new fs::path(fs::path(testing::TempDir()) / "aicpu_project");
    fs::remove_all(*built_);
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "ops/host/reverse_sequence", *built_,
             fs::copy_options::recursive);
    build_ =
        new Shown(run_program({opkit_binary(), "build", built_->string()}, testing::TempDir()));
  }
  static void TearDownTestSuite() {
    fs::remove_all(*built_);
    delete built_;
    delete build_;
  }
  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_EQ(build_->exit_code, 0) << build_->out << build_->err;
    fs::create_directories(path("opp/vendors"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    ASSERT_EQ(opkit({"install", built_->string()}).exit_code, 0);
  }
  // Softsign, but where the first element is 1 to 5.
  void make_hostile() {
    write("hostile/CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(hostile_sign LANGUAGES CXX)\n"
          "find_package(opkit REQUIRED)\nopkit_add_op(VENDOR acme)\n");
    write("hostile/op_contract.yaml",
          "op: HostileSign\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"S..\"}}\n"
          "outputs: {y: {dtype: float32, shape: \"S..\"}}\n"
          "reference: [{op: Softsign, in: [x], out: y}]\nkernel: {task_type: aicpu}\n");
    write("hostile/cpukernel/impl/kernels.cc", R"(#include <cstdlib>
#include <stdexcept>
#include "cpu_kernel.h"
namespace aicpu {
class HostileSign : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    const auto* x = static_cast<const float*>(ctx.Input(0)->GetData());
    auto* y = static_cast<float*>(ctx.Output(0)->GetData());
    const int64_t n = ctx.Output(0)->NumElements();
    if (x[0] == 1) __builtin_abort();
    for (volatile int i = 0; x[0] == 2;) i = i + 1;
    if (x[0] == 3)
      y[n + 4096] = 1;
    if (x[0] == 4) exit(0);
    if (x[0] == 5) throw std::runtime_error("no such luck");
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] / (1 + (x[i] < 0 ? -x[i] : x[i]));
    return KERNEL_STATUS_OK;
  }
};
REGISTER_CPU_KERNEL("HostileSign", HostileSign);
}  // namespace aicpu
)");
    ASSERT_EQ(opkit({"build", "hostile"}).exit_code, 0);
    ASSERT_EQ(opkit({"install", "hostile"}).exit_code, 0);
  }
  // y = ReverseSequence(x, lengths): steps, sequences.
  std::vector<std::string> atc(std::vector<std::string> more = {}) {
    OnnxWriter net;
    net.input("x", {3, 2});
    net.integers("lengths", {2});
    net.node("ReverseSequence", {"x", "lengths"}, "y");
    net.output("y", {3, 2});
    write("net.onnx", net.model());
    more.insert(more.begin(), {"atc", "--model=net.onnx", "--framework=5", "--output=net",
                               "--soc_version=Ascend910B1"});
    return more;
  }

  static fs::path* built_;
  static Shown* build_;
};

fs::path* Aicpu::built_ = nullptr;
Shown* Aicpu::build_ = nullptr;

TEST_F(Aicpu, IsAnOpLikeAnyOther) {
  const auto list = opkit_json({"list"});
  EXPECT_EQ(list["packages"][0]["kind"], "AICPU");
  EXPECT_THAT(opkit({"why", "ReverseSequence"}).out,
              HasSubstr("1.0.0 of customize, for the AICPU"));
  const auto inspected = opkit_json({"inspect", "ReverseSequence"});
  EXPECT_EQ(inspected["manifest"]["kind"], "AICPU") << inspected;
  write("x.npy", float_npy({1, 2, 3, 4, 5, 6}, "3, 2"));
  write("lengths.npy", int64_npy({3, 2}));
  const std::vector<std::string> run = {"run",  "ReverseSequence",           "--in",  "x=x.npy",
                                        "--in", "sequence_lens=lengths.npy", "--out", "y=y.npy"};
  ASSERT_EQ(opkit(run).exit_code, 0);
  EXPECT_EQ(floats_of(read("y.npy")), (std::vector<float>{5, 4, 3, 2, 1, 6}));
  std::vector<std::string> timed = run;
  timed.insert(timed.end(), {"--mode", "timed"});
  EXPECT_THAT(opkit(timed).err, HasSubstr("OPK-COST-002"));
  const Shown cost = opkit({"tile", "ReverseSequence", "--shape", "x=3,2", "--in",
                            "sequence_lens=lengths.npy", "--cost"});
  EXPECT_THAT(cost.err, HasSubstr("try: leave out --cost"));
  EXPECT_THAT(cost.err, testing::Not(HasSubstr("OPK-DRY-001")));
  timed.back() = "checked";
  EXPECT_THAT(opkit(timed).err, HasSubstr("OPK-RUN-013"));
  write("lengths.npy", int64_npy({3, 4}));
  EXPECT_THAT(opkit(run).err, AllOf(HasSubstr("EK1607"), HasSubstr("returned 1"),
                                    HasSubstr("sequence 1 has length 4, and x has 3 steps")));
}

TEST_F(Aicpu, IsTestedByItsContract) {
  const auto report =
      opkit_json({"test", built_->string(), "--tier", "smoke", "--soc", "Ascend910B1"});
  EXPECT_EQ(report["verdict"], "PASSED") << report.dump(1);
  EXPECT_THAT(report["notes"].dump(), HasSubstr("runs on the AICPU"));
}

TEST_F(Aicpu, TakesWhatNoAiCoreTakes) {
  const Shown made = opkit(atc({"--explain"}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("on the AICPU, by installed ops, because no AI Core plugin takes "
                                  "them (fallback): 1 x ReverseSequence"));
  EXPECT_THAT(made.out, HasSubstr("0 kernels"));
  EXPECT_THAT(made.out,
              HasSubstr("y_node (ReverseSequence): ReverseSequence (1 node, on the AICPU, "
                        "no modelled cost)"));
  EXPECT_THAT(made.out, Not(HasSubstr("on the host, because no plugin")));
  const auto shown = opkit_json({"om", "show", kOm});
  EXPECT_EQ(shown["steps"][0]["kind"], "aicpu");
  EXPECT_EQ(shown["plugins"][0]["op"], "ReverseSequence");
  write("x.npy", float_npy({1, 2, 3, 4, 5, 6}, "3, 2"));
  write("lengths.npy", int64_npy({3, 2}));
  const std::vector<std::string> run = {
      "model", "run",    kOm, "--input", "x=x.npy", "--input", "lengths=lengths.npy",
      "--out", "y=y.npy"};
  ASSERT_EQ(opkit(run).exit_code, 0);
  EXPECT_EQ(floats_of(read("y.npy")), (std::vector<float>{5, 4, 3, 2, 1, 6}));
  write("lengths.npy", int64_npy({9, 2}));
  EXPECT_THAT(opkit(run).err, AllOf(HasSubstr("EK1607"), HasSubstr("step y_node")));

  write("lengths.npy", int64_npy({3, 2}));
  const auto profile =
      opkit_json({"model", "profile", kOm, "--input", "x=x.npy", "--input", "lengths=lengths.npy"});
  EXPECT_THAT(profile.dump(), HasSubstr("aicpu ReverseSequence"));

  const auto proved = opkit_json(atc({"--check"}));
  EXPECT_EQ(proved["aicpu"]["ReverseSequence"], 1) << proved;
  ASSERT_EQ(opkit({"uninstall", "ReverseSequence"}).exit_code, 0);
  EXPECT_THAT(opkit(run).err, HasSubstr("OPK-OM-005"));
}

// What a kernel does besides computing ends its worker, not opkit.
TEST_F(Aicpu, ABadKernelIsReported) {
  make_hostile();
  const auto with = [&](float first, std::vector<std::string> words) {
    write("x.npy", float_npy({first, -2, 3, -4}, "4,"));
    Shown shown = opkit(std::move(words));
    opkit({"release", "HostileSign"});
    EXPECT_EQ(shown.exit_code, 1) << shown.out << shown.err;
    return shown.err;
  };
  const std::vector<std::string> run = {"run",     "HostileSign",  "--in",
                                        "x=x.npy", "--time-limit", "1"};
  EXPECT_THAT(with(1, run), AllOf(HasSubstr("OPK-WORKER-002"), HasSubstr("SIGABRT")));
#if defined(__SANITIZE_THREAD__)  // which keeps the question for the place from an endless loop
  EXPECT_THAT(with(2, run), HasSubstr("OPK-WORKER-004"));
#else
  EXPECT_THAT(with(2, run), AllOf(HasSubstr("OPK-WORKER-004"), HasSubstr("impl/kernels.cc:12")));
#endif
  EXPECT_THAT(with(3, run), AllOf(HasSubstr("OPK-WORKER-002"), HasSubstr("SIGSEGV"),
                                  HasSubstr("impl/kernels.cc:14")));
  EXPECT_THAT(with(4, run), HasSubstr("OPK-WORKER-003"));
  EXPECT_THAT(with(5, run), AllOf(HasSubstr("EK1607"), HasSubstr("no such luck")));
  OnnxWriter net;
  net.input("x", {4});
  net.node("Softsign", {"x"}, "y");
  net.output("y", {4});
  write("net.onnx", net.model());
  ASSERT_EQ(opkit({"atc", "--model=net.onnx", "--framework=5", "--output=net",
                   "--soc_version=Ascend910B1"})
                .exit_code,
            0);
  for (const char* command : {"run", "bench", "profile"}) {
    const std::vector<std::string> model = {"model",   command,        kOm, "--input",
                                            "x=x.npy", "--time-limit", "1"};
    EXPECT_THAT(with(1, model), AllOf(HasSubstr("OPK-WORKER-002"), HasSubstr("step y_node")));
    EXPECT_THAT(with(2, model), AllOf(HasSubstr("OPK-WORKER-004"), HasSubstr("step y_node")));
    EXPECT_THAT(with(3, model), AllOf(HasSubstr("SIGSEGV"), HasSubstr("impl/kernels.cc:14")));
    EXPECT_THAT(with(4, model), AllOf(HasSubstr("OPK-WORKER-003"), HasSubstr("step y_node")));
    EXPECT_THAT(with(5, model), AllOf(HasSubstr("EK1607"), HasSubstr("no such luck")));
  }
}

// However little it costs: an op of AI cores has no rival there.
TEST_F(Aicpu, LeavesToAiCoresWhatTheyTake) {
  fs::remove_all(path("opp"));
  if (!take_shipped({"Relu"})) GTEST_SKIP() << "no packages: run `make ops` first";
  write("mine/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(host_relu LANGUAGES CXX)\n"
        "find_package(opkit REQUIRED)\nopkit_add_op(VENDOR acme)\n");
  write("mine/op_contract.yaml",
        "op: HostRelu\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"S..\"}}\n"
        "outputs: {y: {dtype: float32, shape: \"S..\"}}\n"
        "reference: [{op: Relu, in: [x], out: y}]\nkernel: {task_type: aicpu}\n");
  write("mine/cpukernel/impl/host_relu_kernels.cc", R"(#include "cpu_kernel.h"
namespace aicpu {
class HostRelu : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    const auto* x = static_cast<const float*>(ctx.Input(0)->GetData());
    auto* y = static_cast<float*>(ctx.Output(0)->GetData());
    for (int64_t i = 0; i < ctx.Output(0)->NumElements(); ++i) y[i] = x[i] > 0 ? x[i] : 0;
    return KERNEL_STATUS_OK;
  }
};
REGISTER_CPU_KERNEL("HostRelu", HostRelu);
}  // namespace aicpu
)");
  ASSERT_EQ(opkit({"build", "mine"}).exit_code, 0);
  ASSERT_EQ(opkit({"install", "mine"}).exit_code, 0);
  OnnxWriter net;
  net.input("x", {4, 8});
  net.node("Relu", {"x"}, "y");
  net.output("y", {4, 8});
  write("relu.onnx", net.model());
  const std::vector<std::string> atc = {
      "atc",          "--model=relu.onnx",         "--framework=5",
      "--output=net", "--soc_version=Ascend910B1", "--explain"};
  const Shown both = opkit(atc);
  EXPECT_THAT(both.out, HasSubstr("y_node (Relu): Relu (1 node"));
  EXPECT_THAT(both.out, HasSubstr("could be HostRelu (1 node, on the AICPU, no modelled cost)"));
  ASSERT_EQ(opkit({"uninstall", "Relu"}).exit_code, 0);
  EXPECT_THAT(opkit(atc).out, HasSubstr("y_node (Relu): HostRelu (1 node, on the AICPU"));
}

TEST_F(Aicpu, IsNoRouteWithoutFallback) {
  const Shown refused = opkit(atc({"--no-fallback"}));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("EZ3003"),
                                 HasSubstr("it runs on the AICPU, which --no-fallback forbids")));
  EXPECT_FALSE(fs::exists(path(kOm)));
}

TEST_F(Aicpu, NeedsItsClass) {
  fs::copy(*built_, path("mine"), fs::copy_options::recursive);
  fs::remove_all(path("mine/build"));
  edit("mine/op_kernel_aicpu/reverse_sequence_aicpu.cpp", "= \"ReverseSequence\"",
       "= \"ReversedSequence\"");
  const Shown refused = opkit({"build", "mine"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.out + refused.err,
              AllOf(HasSubstr("OPK-PKG-014"), HasSubstr("REGISTER_CPU_KERNEL")));
}

}  // namespace
}  // namespace opkit::e2e
