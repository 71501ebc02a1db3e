// atc --generate_chains: element-wise chains that no installed op takes become ops of their own.
// With the packages that `make ops` installed.
#include <cmath>

#include "npy.h"
#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr size_t kRows = 64, kColumns = 1024;

class Chains : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"Add", "Mul", "Abs", "Softmax"}))
      GTEST_SKIP() << "no packages: run `make ops` first";
    write("m.onnx", model());
    write("x.npy", float_npy(sixteenths(kRows * kColumns, 1), "64, 1024"));
    write("y.npy", float_npy(sixteenths(kRows * kColumns, 5), "64, 1024"));
    write("z.npy", float_npy(sixteenths(kColumns, 9), "1024,"));
  }

  // Writes the chain in front of a softmax and behind it, with a row that is repeated.
  static std::string model() {
    OnnxWriter net;
    net.input("x", {kRows, kColumns});
    net.input("y", {kRows, kColumns});
    net.input("z", {kColumns});
    net.node("Add", {"x", "y"}, "s");
    net.node("Mul", {"s", "z"}, "t");
    net.node("Abs", {"t"}, "u");
    net.node("Softmax", {"u"}, "p");
    net.node("Add", {"p", "y"}, "s2");
    net.node("Mul", {"s2", "z"}, "t2");
    net.node("Abs", {"t2"}, "u2");
    net.output("u2", {kRows, kColumns});
    return net.model();
  }

  std::vector<std::string> atc(const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"atc",
                                      "--model=m.onnx",
                                      "--framework=5",
                                      "--output=" + output,
                                      "--soc_version=Ascend910B1",
                                      "--opp",
                                      "opp"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<float> run(const std::string& om) {
    const Shown ran = opkit({"model", "run", om, "--opp", "opp", "--input", "x=x.npy", "--input",
                             "y=y.npy", "--input", "z=z.npy", "--out", "u2=" + om + ".npy"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return floats_of(read(om + ".npy"));
  }
  fs::path generated() const { return fs::path(variables_.at("OPKIT_CACHE_DIR")) / "generated"; }
};

TEST_F(Chains, BecomeOneKernelEach) {
  const auto plain = opkit_json(atc("plain"));
  EXPECT_EQ(plain["kernels"], 7);
  ASSERT_EQ(plain["chains"].size(), 1u) << plain["chains"];
  EXPECT_EQ(plain["chains"][0]["nodes"].size(), 2u);
  EXPECT_TRUE(plain["chains"][0]["op"].is_null());
  EXPECT_FALSE(fs::exists(generated()));
  EXPECT_THAT(opkit(atc("plain")).out,
              HasSubstr("Add, Mul, Abs: 2 times, 6 kernels, 57 % less traffic"));

  const auto made = opkit_json(atc("made", {"--generate_chains", "--check", "--explain"}));
  EXPECT_EQ(made["kernels"], 3) << made;
  EXPECT_EQ(made["fused_kernels"], 2);
  EXPECT_LT(made["kernel_ns"], plain["kernel_ns"]);
  const auto& chain = made["chains"][0];
  EXPECT_EQ(chain["built"], true);
  EXPECT_EQ(chain["chosen"], 2);
  EXPECT_EQ(made["explain"][0]["taken"]["by"], chain["op"]);
  EXPECT_EQ(made["explain"][0]["rivals"][0]["by"], "Add");
  bool named = false;
  const auto om = opkit_json({"om", "show", "made.om"});
  for (const auto& plugin : om["plugins"])
    named = named || (plugin["op"] == chain["op"] && plugin["vendor"] == "generated" &&
                      plugin["library_sha256"].get<std::string>().size() == 64);
  EXPECT_TRUE(named);

  const std::vector<float> apart = run("plain.om"), joined = run("made.om");
  ASSERT_EQ(joined.size(), kRows * kColumns);
  for (size_t i = 0; i < joined.size(); ++i)
    ASSERT_NEAR(joined[i], apart[i], 1e-6 * (1 + std::abs(apart[i]))) << i;

  // Kept for the next time, and taken from there.
  const auto again = opkit_json(atc("again", {"--generate_chains"}));
  EXPECT_EQ(again["chains"][0]["op"], chain["op"]);
  EXPECT_EQ(again["chains"][0]["built"], false);
  EXPECT_EQ(again["kernels"], 3);

  // A model whose chain is gone says so.
  fs::remove_all(generated());
  const Shown lost = opkit({"model", "run", "made.om", "--opp", "opp", "--input", "x=x.npy",
                            "--input", "y=y.npy", "--input", "z=z.npy"});
  EXPECT_NE(lost.exit_code, 0);
  EXPECT_THAT(lost.err, AllOf(HasSubstr("OPK-OM-005"), HasSubstr("--generate_chains"),
                              HasSubstr("compile the model again")));
}

TEST_F(Chains, ThatCannotBeBuiltLeaveTheOtherCover) {
  const std::string path_before = std::getenv("PATH");
  variables_["PATH"] = path("nowhere").string();
  const Shown made = opkit(atc("m", {"--generate_chains"}));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("OPK-ATC-004"));
  EXPECT_THAT(made.out, AllOf(HasSubstr("7 kernels"), HasSubstr("; not made: the chain of Add, "
                                                                "Mul, Abs is not made")));
  EXPECT_FALSE(fs::exists(generated()));
  variables_["PATH"] = path_before;
  EXPECT_EQ(run("m.om").size(), kRows * kColumns);
}

TEST_F(Chains, FollowTheFusionSwitchFile) {
  write("switch.cfg", "ALL:off\n");
  const Shown made = opkit(atc("m", {"--generate_chains", "--fusion_switch_file=switch.cfg"}));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out,
              AllOf(HasSubstr("7 kernels"), HasSubstr("the fusion switch file says off")));
  EXPECT_FALSE(fs::exists(generated()));
}

}  // namespace
}  // namespace opkit::e2e
