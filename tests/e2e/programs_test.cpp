// Stand-alone programs: vendor-style sources of tests/e2e/programs are built by `opkit cc` and run;
// wrong programs are refused with the place in the user's file.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Programs : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  }
  // Builds src/<names> and runs the program.
  Shown build_and_run(const std::vector<std::string>& names,
                      std::vector<std::string> options = {}) {
    std::vector<std::string> words = {"cc", "-o", "prog"};
    for (const std::string& name : names) words.push_back("src/" + name);
    words.insert(words.end(), options.begin(), options.end());
    const Shown built = opkit(words);
    EXPECT_EQ(built.exit_code, 0) << built.err;
    return run_program({path("prog").string()}, folder_, variables_);
  }
  // A program that is right in Fast mode is right in every mode, and Checked finds nothing.
  void expect_right_in_every_mode(const std::string& name, const std::string& said) {
    expect_right(build_and_run({name}), said);
    variables_["OPKIT_MODE"] = "checked";
    expect_right(run_program({path("prog").string()}, folder_, variables_), said);
    variables_["OPKIT_MODE"] = "timed";
    const Shown timed = run_program({path("prog").string()}, folder_, variables_);
    EXPECT_EQ(timed.exit_code, 0) << timed.err;
    EXPECT_THAT(timed.out, HasSubstr(said));
    EXPECT_THAT(timed.err, AllOf(HasSubstr("timed: kernel "), HasSubstr(" cycles, ")));
  }
  void expect_right(const Shown& shown, const std::string& said) {
    EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr(said));
    EXPECT_EQ(shown.err, "");  // no fault, no leak
  }
};

TEST_F(Programs, AddWithQueues) {
  expect_right(build_and_run({"add_tque.asc"}, {"--soc", "Ascend910B3"}),
               "0 wrong of 16384 on Ascend910B3");
}

TEST_F(Programs, AddWithStaticTensors) {
  expect_right_in_every_mode("add_static.asc", "0 wrong of 6144");
}

TEST_F(Programs, MatmulFromBasicCalls) {
  expect_right_in_every_mode("matmul_basic.asc", "0 wrong of 15360");
}

TEST_F(Programs, MatmulObject) {
  expect_right_in_every_mode("matmul_object.asc", "0 wrong of 82000, 8 cores");
}

TEST_F(Programs, MatmulWithASparseMatrix) {
  expect_right_in_every_mode("matmul_sparse.asc", "0 wrong of 82000, 8 cores");
}

TEST_F(Programs, MatmulAndLeakyReluOnBothKindsOfCores) {
  expect_right_in_every_mode("matmul_leaky.asc", "0 wrong of 36864");
}

TEST_F(Programs, ScalarMathematics) {
  expect_right_in_every_mode("scalar_math.asc", "0 wrong of 8");
}

// A kernel may be called like a function of <math.h>.
TEST_F(Programs, AKernelNamedLikeAFunctionOfC) {
  write("src/exp.asc",
        "#include \"kernel_operator.h\"\n"
        "extern \"C\" __global__ __vector__ __aicore__ void exp(GM_ADDR x) {}\n"
        "int main() { return 0; }\n");
  expect_right(build_and_run({"exp.asc"}), "");
}

TEST_F(Programs, LayerNorm) { expect_right_in_every_mode("layernorm.asc", "0 wrong of 2304"); }

TEST_F(Programs, Sort) { expect_right_in_every_mode("sort.asc", "0 wrong of 2560"); }

// Each source is compiled to device code of its own: page "异构编译". Inline variables of the host
// are one for the program.
TEST_F(Programs, SourcesMayDefineTheSameNames) {
  for (const char* level : {"-O0", "-O2"}) {
    expect_right(build_and_run({"own_first.asc", "own_second.asc"}, {level}),
                 "first 121 5 121 7, second 242 6 242 8, seen 2");
  }
}

TEST_F(Programs, UnitTestOfAKernelInItsOwnFile) {
  expect_right(build_and_run({"sub_main.cpp", "sub_kernel.cpp"}, {"-D", "ASCENDC_CPU_DEBUG"}),
               "0 wrong");
}

// The macro is the author's: a build for the chip does not define it, and -D does.
TEST_F(Programs, KernelsForTheChipDoNotDefineTheMacroOfHostTests) {
  expect_right(build_and_run({"kt_test.asc"}), "chip 2");
  expect_right(build_and_run({"kt_test.asc"}, {"-D", "__CCE_KT_TEST__=1"}), "host 1");
}

TEST_F(Programs, ReductionOverAllBlocks) { expect_right_in_every_mode("sum_all.asc", "0 wrong"); }

TEST_F(Programs, Softmax) { expect_right_in_every_mode("softmax.asc", "0 wrong of 4736"); }

// Copies and a kernel of two streams: executed 1000 times, under every schedule, with a kernel that
// is replaced.
TEST_F(Programs, CapturedWorkIsExecutedAgainAndAgain) {
  const std::string right = "0 wrong in 1000 rounds";
  expect_right_in_every_mode("capture.asc", right);
  variables_["OPKIT_MODE"] = "fast";
  for (const char* streams : {"immediate", "1", "2", "3", "4", "5", "6"}) {
    variables_["OPKIT_STREAMS"] = streams;
    expect_right(run_program({path("prog").string()}, folder_, variables_), right);
  }
}

// Three streams with events and callbacks: the same result under every schedule. One wait less is
// found by the seeds, and the plain schedule cannot find it.
TEST_F(Programs, AForgottenWaitOfAStreamIsFoundBySeeds) {
  const std::string right = "0 wrong, 12 results";
  expect_right(build_and_run({"pipeline.asc"}), right);
  const auto run = [&](const std::string& streams, std::vector<std::string> words) {
    variables_["OPKIT_STREAMS"] = streams;
    words.insert(words.begin(), path("prog").string());
    return run_program(words, folder_, variables_);
  };
  expect_right(run("immediate", {}), right);
  for (const char* wait : {"brought", "computed", "fetched"}) {
    expect_right(run("immediate", {wait}), right);
    int found = 0;
    for (int seed = 1; seed <= 12; ++seed) {
      const std::string name = std::to_string(seed);
      expect_right(run(name, {}), right);
      const Shown forgot = run(name, {wait});
      found += forgot.exit_code == 1;
      EXPECT_THAT(forgot.out, HasSubstr(" wrong, 12 results"));
    }
    EXPECT_GT(found, 0) << wait;
  }
  variables_["OPKIT_MODE"] = "checked";
  expect_right(run("concurrent", {}), right);
  expect_right(run("5", {}), right);
}

TEST_F(Programs, TwoKernelsOneOfThemATemplate) {
  expect_right(build_and_run({"two_kernels.asc"}, {"-O0"}), "all 512 right");
}

TEST_F(Programs, CubeAndVectorCoresTogether) {
  expect_right(build_and_run({"mixed.asc"}), "0 wrong of 4");
  // The flag waits for FIX, but the words are written by the scalar unit.
  variables_["OPKIT_MODE"] = "checked";
  const Shown checked = run_program({path("prog").string()}, folder_, variables_);
  EXPECT_EQ(checked.exit_code, 3);  // comes from its own check of aclrtSynchronizeStream
  EXPECT_THAT(checked.err,
              AllOf(HasSubstr("kernel mixed"), HasSubstr("EK1511"), HasSubstr("mixed.asc:18"),
                    HasSubstr("mixed.asc:12"), HasSubstr("of GM tensor 'from'")));
}

// Numerics and the order that the compiler inserts are judged as the environment says.
TEST_F(Programs, SwitchesOfCheckedMode) {
  variables_["OPKIT_MODE"] = "checked";
  expect_right(build_and_run({"overflow.asc"}), "first ");
  const auto run = [&](const char* variable, const char* word) {
    variables_[variable] = word;
    const Shown shown = run_program({path("prog").string()}, folder_, variables_);
    variables_.erase(variable);
    return shown;
  };
  const Shown numerics = run("OPKIT_NUMERICS", "1");
  EXPECT_EQ(numerics.exit_code, 0) << numerics.err;  // a warning
  EXPECT_THAT(numerics.err, AllOf(HasSubstr("EK1314 warning"), HasSubstr("overflow.asc:14")));
  const Shown order = run("OPKIT_NO_IMPLIED_ORDER", "1");
  EXPECT_NE(order.exit_code, 0);
  EXPECT_THAT(order.err, AllOf(HasSubstr("EK1304 error"), HasSubstr("overflow.asc:14"),
                               HasSubstr("overflow.asc:13"), Not(HasSubstr("EK1314"))));
  expect_right(run("OPKIT_NUMERICS", "0"), "first ");
  const Shown wrong = run("OPKIT_NO_IMPLIED_ORDER", "yes");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-LAUNCH-012"), HasSubstr("'yes'")));
  variables_["OPKIT_MODE"] = "timed";
  EXPECT_THAT(run("OPKIT_WARM", "often").err,
              AllOf(HasSubstr("OPK-LAUNCH-013"), HasSubstr("'often'")));
}

// A kernel of a macro, launched by its name from a source that knows only the generated header.
TEST_F(Programs, LaunchByName) {
  expect_right(build_and_run({"by_name_main.cpp", "by_name_kernel.cpp"}),
               "0 wrong of 128, launched 2 kernels");
}

// Kernels of an object that the program loads, with arguments on the host and on the device.
// The preprocessor chooses among kernels of one name; each pass may have its own.
TEST_F(Programs, KernelsOfTheBranchThatIsCompiled) {
  write("src/either.cpp",
        "#include \"kernel_operator.h\"\n"
        "#ifdef OTHER_CHIP\n"
        "extern \"C\" __global__ __cube__ __aicore__ void either(GM_ADDR x) {}\n"
        "#else\n"
        "extern \"C\" __global__ __vector__ __aicore__ void either(GM_ADDR x, float value) {\n"
        "  AscendC::GlobalTensor<float> out;\n"
        "  out.SetGlobalBuffer((__gm__ float*)x);\n"
        "  out.SetValue(0, value);\n"
        "}\n"
        "#endif\n"
        "#ifdef __DAV_C220_CUBE__\n"
        "extern \"C\" __global__ __mix__(1, 1) __aicore__ void both(GM_ADDR x) {}\n"
        "#else\n"
        "extern \"C\" __global__ __mix__(1, 1) __aicore__ void both(GM_ADDR x) {}\n"
        "#endif\n");
  write("src/either_main.cpp",
        "#include \"host.h\"\n"
        "#include \"aclrtlaunch_either.h\"\n"
        "int main() {\n"
        "  Session session;\n"
        "  DeviceArray<float> x(std::vector<float>(8));\n"
        "  ACLRT_LAUNCH_KERNEL(either)(1, session.stream, x.Get(), 7.0f);\n"
        "  Check(aclrtSynchronizeStream(session.stream), \"aclrtSynchronizeStream\");\n"
        "  std::printf(\"%g\\n\", x.Read()[0]);\n"
        "}\n");
  expect_right(build_and_run({"either_main.cpp", "either.cpp"}), "7\n");
  EXPECT_EQ(opkit({"cc", "--kernels", "src/either.cpp", "-o", "k.o"}).exit_code, 0);
}

TEST_F(Programs, LaunchByHandle) {
  const Shown kernels = opkit({"cc", "--kernels", "src/handle_kernels.cpp", "-o", "kernels.o"});
  ASSERT_EQ(kernels.exit_code, 0) << kernels.err;
  const Shown built = opkit({"cc", "src/handle_main.cpp", "-o", "prog"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const std::string program = path("prog").string(), object = path("kernels.o").string();
  const std::string right = "0 wrong, launched by handle";
  for (const char* mode : {"fast", "checked"}) {
    variables_["OPKIT_MODE"] = mode;
    expect_right(run_program({program, object}, folder_, variables_), right);
  }
  const Shown faulty = run_program({program, object, "faulty"}, folder_, variables_);
  EXPECT_EQ(faulty.exit_code, 0) << "the program expects the failure: its own code stands";
  EXPECT_THAT(faulty.out, HasSubstr(right));
  EXPECT_THAT(faulty.err, AllOf(HasSubstr("kernel faulty"), HasSubstr("handle_kernels.cpp:")));
  const Shown other = opkit(
      {"cc", "--kernels", "src/handle_kernels.cpp", "-o", "kernels.o", "--soc", "Ascend910B3"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(run_program({program, object}, folder_, variables_).err,
              AllOf(HasSubstr("100003"), HasSubstr("for Ascend910B3")));
}

// Objects from memory, kernels by the numbers that end their names.
TEST_F(Programs, LoadFromData) {
  const std::vector<std::string> build = {"cc", "--kernels", "src/data_kernels.cpp", "-o"};
  for (const auto& [object, offset] : {std::pair("a.o", "OFFSET=0"), {"b.o", "OFFSET=1000"}}) {
    std::vector<std::string> words = build;
    words.insert(words.end(), {object, "-D", offset});
    const Shown kernels = opkit(words);
    ASSERT_EQ(kernels.exit_code, 0) << kernels.err;
  }
  const Shown built = opkit({"cc", "src/data_main.cpp", "-o", "prog"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  std::vector<std::string> words = {path("prog").string(), path("a.o").string(),
                                    path("b.o").string()};
  const std::string right = "0 wrong, loaded from memory";
  for (const char* mode : {"fast", "checked"}) {
    variables_["OPKIT_MODE"] = mode;
    expect_right(run_program(words, folder_, variables_), right);
  }
  words.push_back("faulty");
  const Shown faulty = run_program(words, folder_, variables_);
  EXPECT_EQ(faulty.exit_code, 0) << "the program expects the failure: its own code stands";
  EXPECT_THAT(faulty.out, HasSubstr(right));
  EXPECT_THAT(faulty.err, AllOf(HasSubstr("kernel outside_9"), HasSubstr("data_kernels.cpp:")));
}

TEST_F(Programs, WhatAnObjectOfKernelsCannotHold) {
  const auto says = [&](const std::string& text) {
    write("src/k.cpp", "#include \"kernel_operator.h\"\n" + text);
    return opkit({"cc", "--kernels", "src/k.cpp", "-o", "k.o"}).err;
  };
  EXPECT_THAT(says("template <typename T> __global__ __vector__ void one(GM_ADDR x) {}\n"),
              AllOf(HasSubstr("OPK-CC-011"), HasSubstr("template"), HasSubstr("k.cpp:2")));
  EXPECT_THAT(says("extern \"C\" __global__ __vector__ void one(GM_ADDR x) {}\n"
                   "void go() { one<<<1, nullptr, nullptr>>>(nullptr); }\n"),
              AllOf(HasSubstr("OPK-CC-011"), HasSubstr("launches"), HasSubstr("k.cpp:3")));
  EXPECT_THAT(says("void nothing() {}\n"), HasSubstr("OPK-CC-007"));
  write("src/k2.cpp",
        "#include \"kernel_operator.h\"\nstatic __global__ __vector__ void one() {}\n");
  write("src/k.cpp",
        "#include \"kernel_operator.h\"\nstatic __global__ __vector__ void one() {}\n");
  EXPECT_THAT(opkit({"cc", "--kernels", "src/k.cpp", "src/k2.cpp", "-o", "k.o"}).err,
              AllOf(HasSubstr("OPK-CC-011"), HasSubstr("twice"), HasSubstr("k2.cpp:2")));
}

TEST_F(Programs, LaunchesThatAreRefused) {
  EXPECT_EQ(opkit({"cc", "-o", "prog", "src/refused.cpp"}).exit_code, 0);
  const auto says = [&](const std::string& what) {
    const Shown shown = run_program({path("prog").string(), what}, folder_, variables_);
    EXPECT_EQ(shown.exit_code, 1) << what;
    return shown.err;
  };
  EXPECT_THAT(says("unknown"), AllOf(HasSubstr("OPK-LAUNCH-001"), HasSubstr("kernel plain"),
                                     HasSubstr("__global__")));
  EXPECT_THAT(says("cube"), AllOf(HasSubstr("OPK-LAUNCH-002"), HasSubstr("kernel nothing"),
                                  HasSubstr("no cube code")));
  EXPECT_THAT(says("device"), AllOf(HasSubstr("OPK-LAUNCH-004"), HasSubstr("aclrtSetDevice")));
  EXPECT_THAT(says("stream"), AllOf(HasSubstr("OPK-LAUNCH-005"), HasSubstr("destroyed")));
  EXPECT_THAT(says("captured"),
              AllOf(HasSubstr("OPK-LAUNCH-015"), HasSubstr("107031: the default stream")));
  EXPECT_THAT(says("memory"), AllOf(HasSubstr("OPK-LAUNCH-007"), HasSubstr("do not fit")));
  EXPECT_THAT(says("foreign"), AllOf(HasSubstr("OPK-LAUNCH-008"), HasSubstr("no device memory")));
  variables_["OPKIT_MODE"] = "slow";
  EXPECT_THAT(says("fine"), AllOf(HasSubstr("OPK-LAUNCH-009"), HasSubstr("'slow'"),
                                  HasSubstr("fast, checked or timed")));
  variables_.erase("OPKIT_MODE");
  variables_["OPKIT_STREAMS"] = "parallel";
  EXPECT_THAT(says("fine"), AllOf(HasSubstr("OPK-LAUNCH-014"), HasSubstr("'parallel'"),
                                  HasSubstr("concurrent, immediate or a seed")));
}

TEST_F(Programs, TimedModeWantsAChipWithFigures) {
  EXPECT_EQ(opkit({"cc", "-o", "prog", "src/refused.cpp", "--soc", "Ascend910B4"}).exit_code, 0);
  variables_["OPKIT_MODE"] = "timed";
  const Shown shown = run_program({path("prog").string(), "fine"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-LAUNCH-010"), HasSubstr("Ascend910B4")));
}

TEST_F(Programs, ProfileOfAProgram) {
  EXPECT_EQ(opkit({"cc", "-o", "prog", "src/two_kernels.asc"}).exit_code, 0);
  const Shown text = opkit({"profile", path("prog").string(), "--out", "profile"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("all 512 right"), HasSubstr("fill"), HasSubstr("scale")));
  EXPECT_TRUE(fs::exists(path("profile/1_fill/PipeUtilization.csv")));
  EXPECT_TRUE(fs::exists(path("profile/3_scale/trace.json")));
  const nlohmann::json json =
      nlohmann::json::parse(opkit({"profile", path("prog").string(), "--json"}).out);
  ASSERT_EQ(json["launches"].size(), 3u);
  EXPECT_EQ(json["launches"][1]["kernel"], "scale");
  EXPECT_EQ(json["launches"][1]["cycles"], json["launches"][2]["cycles"]);
  EXPECT_GT(json["launches"][0]["task_us"].get<double>(), 0.1);
  const std::vector<std::vector<std::string>> of_ops = {
      {"--shape", "x=8"},   {"--soc", "Ascend910B9"}, {"--opp", "opp"},      {"--case", "2"},
      {"--format", "x=ND"}, {"--out-shape", "z=8"},   {"--vendor", "acme"},  {"--version", "1.0.0"},
      {"--locked"},         {"--seed", "3"},          {"--time-limit", "5"}, {"--in-process"}};
  for (const std::vector<std::string>& option : of_ops) {
    std::vector<std::string> words = {"profile", path("prog").string()};
    words.insert(words.end(), option.begin(), option.end());
    EXPECT_THAT(opkit(words).err, AllOf(HasSubstr("OPK-CLI-019"), HasSubstr(option[0])));
  }
  const nlohmann::json warm =
      nlohmann::json::parse(opkit({"profile", path("prog").string(), "--warm", "1", "--json"}).out);
  EXPECT_EQ(warm["launches"][0]["cycles"], json["launches"][0]["cycles"]) << "fill reads nothing";
  EXPECT_LT(warm["launches"][1]["cycles"], json["launches"][1]["cycles"]);
  write("broken", "#!/bin/sh\nexit 7\n");
  fs::permissions(path("broken"), fs::perms::owner_all);
  EXPECT_THAT(opkit({"profile", path("broken").string()}).err,
              AllOf(HasSubstr("OPK-CLI-020"), HasSubstr("exit code 7")));
  write("late", "#!/bin/sh\n" + path("prog").string() + "\nexit 1\n");
  fs::permissions(path("late"), fs::perms::owner_all);
  const Shown late = opkit({"profile", path("late").string(), "--json"});
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_THAT(late.err, AllOf(HasSubstr("OPK-CLI-020"), HasSubstr("exit code 1")));
  const nlohmann::json measured = nlohmann::json::parse(late.out);
  EXPECT_EQ(measured["succeeded"], false);
  EXPECT_EQ(measured["launches"], json["launches"]);
}

TEST_F(Programs, CompilerErrorsNameTheUsersLine) {
  edit("src/add_static.asc", "AscendC::Add(zLocal, xLocal, yLocal, kTile);",
       "AscendC::Add(zLocal, xLocal, yLocel, kTile);");
  const Shown shown = opkit({"cc", "src/add_static.asc", "-o", "prog"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("src/add_static.asc:21:"), HasSubstr("OPK-CC-008"),
                               HasSubstr("yLocel")));
  EXPECT_FALSE(fs::exists(path("prog")));
}

TEST_F(Programs, LinkerErrorsAreReported) {
  const Shown shown = opkit({"cc", "src/sub_kernel.cpp", "-o", "prog"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-CC-009"), HasSubstr("main")));
}

TEST_F(Programs, AFaultyKernelEndsTheProgramWithItsFault) {
  edit("src/add_static.asc", "DataCopy(zGm, zLocal, kTile);",
       "DataCopy(zGm, zLocal, kTile * 200);");
  edit("src/add_static.asc",
       "Check(aclrtSynchronizeStream(session.stream), \"aclrtSynchronizeStream\");",
       "std::printf(\"code %d\\n\", aclrtSynchronizeStream(session.stream));");
  edit("src/add_static.asc", "return wrong != 0;", "return 0;");
  const Shown shown = build_and_run({"add_static.asc"});
  EXPECT_EQ(shown.exit_code, 1);  // although main returned 0
  EXPECT_THAT(shown.out, HasSubstr("code 507015"));
  EXPECT_THAT(shown.err, AllOf(HasSubstr("kernel add_static, block 0"), HasSubstr("error EK"),
                               HasSubstr("add_static.asc:24"), HasSubstr("try: ")));
}

TEST_F(Programs, AFaultInAUnitTestEndsIt) {
  edit("src/sub_main.cpp", "(uint8_t*)z);\n  int wrong", "(uint8_t*)z + kCount * 4);\n  int wrong");
  const Shown shown =
      build_and_run({"sub_main.cpp", "sub_kernel.cpp"}, {"-D", "ASCENDC_CPU_DEBUG"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, HasSubstr("kernel sub_custom"));
  EXPECT_THAT(shown.out, Not(HasSubstr("wrong")));
}

TEST_F(Programs, WrongRuntimeCalls) {
  write("src/calls.asc", R"(
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
__global__ __vector__ void nothing() {}
#define SHOW(call) std::printf("%s = %d\n", #call, call)
int main() {
  char host[64] = {};
  void* device = nullptr;
  SHOW(aclFinalize());
  SHOW(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  SHOW(aclInit(nullptr));
  SHOW(aclInit(nullptr));
  SHOW(aclrtSetDevice(1));
  SHOW(aclrtSetDevice(0));
  SHOW(aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST));
  SHOW(aclrtMalloc(&device, size_t{1} << 60, ACL_MEM_MALLOC_HUGE_FIRST));
  SHOW(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  SHOW(aclrtMemcpy(device, 32, host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  SHOW(aclrtMemcpy(host, 64, host, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  SHOW(aclrtMemcpy(device, 200, host, 97, ACL_MEMCPY_HOST_TO_DEVICE));
  SHOW(aclrtFree(host));
  SHOW(aclrtFree(device));
  SHOW(aclrtFree(device));
  std::printf("%s\n", aclGetRecentErrMsg());
  SHOW(aclrtDestroyStream(host));
  nothing<<<0, nullptr, nullptr>>>();
  SHOW(aclrtMalloc(&device, 48, ACL_MEM_MALLOC_HUGE_FIRST));
  SHOW(aclFinalize());
}
)");
  const Shown shown = build_and_run({"calls.asc"});
  EXPECT_EQ(shown.exit_code, 1);
  const auto codes = [&] {
    std::string all;
    for (size_t at = 0; (at = shown.out.find(" = ", at)) != std::string::npos; at += 3) {
      all += shown.out.substr(at + 3, shown.out.find('\n', at) - at - 3) + " ";
    }
    return all;
  }();
  EXPECT_EQ(codes,
            "100001 107002 0 100002 107001 0 100000 207001 0 100000 107000 107000 107000 0 107000 "
            "107017 0 0 ");
  EXPECT_THAT(shown.out, HasSubstr("no device memory that is alive lies there"));
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-LAUNCH-003"), HasSubstr("leak: 48 bytes")));
}

TEST_F(Programs, LaunchesAreProfiled) {
  write("src/work.asc", R"(#include "acl/acl.h"
#include "kernel_operator.h"
__global__ __vector__ void zeros(GM_ADDR z) {
  AscendC::LocalTensor<float> tile(AscendC::TPosition::VECOUT, 0, 256);
  AscendC::GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float*)z, 256);
  AscendC::Duplicate(tile, 0.0f, 256);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(0);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(0);
  AscendC::DataCopy(out, tile, 256);
}
int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] == 'q') return 0;
  if (argc > 1) return 3;
  aclrtSetDevice(0);
  void* z = nullptr;
  aclrtMalloc(&z, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 2; ++i) zeros<<<1, nullptr, nullptr>>>((GM_ADDR)z);
  aclrtSynchronizeStream(nullptr);
  aclrtFree(z);
}
)");
  ASSERT_EQ(opkit({"cc", "src/work.asc", "-o", "work"}).exit_code, 0);
  const nlohmann::json shown = opkit_json({"profile", "./work", "--out", "kept"});
  ASSERT_EQ(shown["launches"].size(), 2u);
  EXPECT_EQ(shown["launches"][1]["figures"]["ub_to_gm_bytes"], 1024);
  const Shown same = opkit({"profile", "--compare", "kept", "./work"});
  EXPECT_THAT(same.out, AllOf(HasSubstr("A: zeros"), Not(HasSubstr("new"))));
  EXPECT_THAT(opkit({"profile", "--compare", "kept", "kept/1_zeros"}).err,
              HasSubstr("OPK-CLI-031"));
  EXPECT_THAT(opkit({"profile", "./work", "fail"}).err, HasSubstr("OPK-CLI-020"));
  EXPECT_THAT(opkit({"profile", "./work", "quiet"}).out, HasSubstr("launched no kernel"));
  EXPECT_THAT(opkit({"profile", "--compare", "./work quiet", "./work quiet"}).err,
              HasSubstr("OPK-CLI-031"));
  variables_["OPKIT_SCHEDULE_SEED"] = "first";
  EXPECT_THAT(run_program({path("work").string()}, folder_, variables_).err,
              HasSubstr("OPK-LAUNCH-011"));
}

TEST_F(Programs, SourcesThatCannotBePrograms) {
  write("src/a.asc", "int main() { return 1 <<<2; }\n__global__ void k() {}\n");
  EXPECT_THAT(opkit({"cc", "src/a.asc"}).err,
              AllOf(HasSubstr("src/a.asc:1"), HasSubstr("OPK-CC-003")));
  write("src/b.asc", "\n__global__ void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AVI_ONLY); }\n");
  EXPECT_THAT(opkit({"cc", "src/b.asc"}).err,
              AllOf(HasSubstr("src/b.asc:2"), HasSubstr("OPK-CC-004"), HasSubstr("AIV_ONLY")));
  write("src/launch.h", "inline void go() { k<<<1, nullptr, nullptr>>>(); }\n");
  write("src/c.asc", "__global__ void k() {}\n#include \"launch.h\"\n");
  EXPECT_THAT(opkit({"cc", "src/c.asc"}).err,
              AllOf(HasSubstr("launch.h:1"), HasSubstr("OPK-CC-005")));
  write("src/d.asc", "__global__ __vector__ void k() {}\n");
  write("src/e.asc", "__global__ __cube__ void k() {}\n");
  EXPECT_THAT(opkit({"cc", "src/d.asc", "src/e.asc"}).err,
              AllOf(HasSubstr("src/e.asc:1"), HasSubstr("OPK-CC-006"), HasSubstr("src/d.asc:1")));
  write("src/f.cpp", "int main() {}\n");
  EXPECT_THAT(opkit({"cc", "src/f.cpp"}).err, HasSubstr("OPK-CC-007"));
  write("src/g.cpp",
        "#include \"acl/acl.h\"\nint main() { aclInit(nullptr); k<<<1, 0, 0>>>(); }\n");
  EXPECT_THAT(opkit({"cc", "src/g.cpp"}).err, HasSubstr("OPK-CC-007"));
  EXPECT_THAT(opkit({"cc", "src/d.asc", "--soc", "Ascend310P3"}).err, HasSubstr("OPK-CC-002"));
  EXPECT_THAT(opkit({"cc"}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"cc", "src/d.asc", "--plugin", "src"}).err, HasSubstr("OPK-CLI-003"));
  // --plugin is opkit build, which tests/e2e/main_job_test.cpp follows to the end.
  EXPECT_THAT(opkit({"cc", "--plugin", "src"}).err, HasSubstr("OPK-BUILD-001"));
}

}  // namespace
}  // namespace opkit::e2e
