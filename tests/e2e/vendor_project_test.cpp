// Projects in the vendor's layout, without a file of opkit: built and installed by one command, and
// right. Template keys, keys as constants, mixed kernels on both kinds of chips, InitValue.
#include <cmath>
#include <cstring>
#include <vector>

#include "npy.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class VendorProject : public OpkitTest {
 protected:
  // A copy, because the build writes into it.
  void copy(const std::string& name) {
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/vendor" / name, path(name),
             fs::copy_options::recursive);
  }
  Shown build(const std::string& folder) {
    const Shown shown = opkit({"build", folder, "--install", "--opp", "opp"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return shown;
  }
  // The elements of the float output `name`.
  std::vector<float> run(std::vector<std::string> words, const std::string& name) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--opp", "opp", "--out", name + "=out.npy"});
    EXPECT_EQ(opkit(words).exit_code, 0);
    return floats_of(read("out.npy"));
  }
};

TEST_F(VendorProject, AnMsOpGenProjectWithTemplateKeys) {
  copy("add_act");
  const Shown built = build("add_act");
  EXPECT_THAT(built.out, AllOf(HasSubstr("AddAct 0.1.0 of acme"), HasSubstr("(10 kernels)"),
                               HasSubstr("installed to ")));
  EXPECT_THAT(built.err, AllOf(HasSubstr("x DT_COMPLEX64 ND"), HasSubstr("left out"),
                               HasSubstr("opkit test cannot judge its numbers")));
  std::vector<float> x(37), y(37);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i) - 20, y[i] = 0.5f * float(i % 3);
  write("x.npy", float_npy(x));
  write("y.npy", float_npy(y));
  write("bias.npy", float_npy({2}));
  for (const bool relu : {false, true}) {
    const std::vector<float> z =
        run({"AddAct", "--in", "x=x.npy", "--in", "y=y.npy", "--in", "bias=bias.npy", "--attr",
             relu ? "act=3" : "act=0", "--attr", "label=a", "--mode", "checked"},
            "z");
    ASSERT_EQ(z.size(), x.size());
    for (size_t i = 0; i < z.size(); ++i) {
      const float sum = x[i] + y[i] + 2;
      EXPECT_EQ(z[i], relu ? std::fmax(sum, 0.0f) : sum) << i;
    }
  }
  // What the contract says, and what the author's functions say.
  const Shown inferred = opkit({"infer", "AddAct", "--opp", "opp", "--shape", "x=3,7", "--shape",
                                "y=3,7", "--attr", "label=a"});
  EXPECT_EQ(inferred.exit_code, 0) << inferred.err;
  EXPECT_THAT(inferred.out, AllOf(HasSubstr("author's inference:"), HasSubstr("[3, 7]"),
                                  HasSubstr("agrees with the contract")));
  const Shown refused = opkit({"run", "AddAct", "--opp", "opp", "--shape", "x=64", "--shape",
                               "y=64", "--dtype", "int32", "--attr", "act=3", "--attr", "label=a"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-TILE-009"), HasSubstr("OPK-HOST-010"),
                                 HasSubstr("(D_T_X: 3; ACT: 0; WHOLE_BLOCKS: 0, 1)")));
}

TEST_F(VendorProject, AFolderOfAnOperatorRepository) {
  copy("ops_repo");
  const Shown built = build("ops_repo/reduce/column_total");
  EXPECT_THAT(built.out, HasSubstr("ColumnTotal 0.1.0 of customize"));
  EXPECT_THAT(built.err, HasSubstr("does not know the chip 'ascend950'"));
  std::vector<float> x(24);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i);
  write("x.npy", float_npy(x, "3, 8"));
  for (const int twice : {1, 2}) {
    const std::vector<float> y = run({"ColumnTotal", "--in", "x=x.npy", "--attr",
                                      twice == 2 ? "key=20" : "key=10", "--mode", "checked"},
                                     "y");
    ASSERT_EQ(y.size(), 8u);
    // 7 is the OpDef's InitValue.
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(y[i], 7 + twice * (x[i] + x[8 + i] + x[16 + i]));
  }
  const Shown refused =
      opkit({"run", "ColumnTotal", "--opp", "opp", "--in", "x=x.npy", "--attr", "key=30"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-TILE-009"), HasSubstr("keys built: 10, 20")));
}

// A header of the repository whose name the SDK has, too: the former is meant.
TEST_F(VendorProject, HeadersAndMacrosFromElsewhere) {
  copy("ops_repo");
  const std::string folder = "ops_repo/reduce/column_total";
  fs::create_directories(path("ops_repo/include/log"));
  write("ops_repo/include/log/log.h", "#define WEIGHT SCALE\n");
  edit(folder + "/op_kernel/column_total.cpp", "Adds(weighed, row, nothing,",
       "Muls(weighed, row, float(WEIGHT),");
  edit(folder + "/op_kernel/column_total.cpp", "#include \"kernel_operator.h\"",
       "#include \"kernel_operator.h\"\n#include \"log/log.h\"");
  EXPECT_EQ(opkit({"build", folder}).exit_code, 1);
  const Shown built = opkit(
      {"build", folder, "-I", "ops_repo/include", "-D", "SCALE=3", "--install", "--opp", "opp"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  write("x.npy", float_npy({0, 1, 2, 3, 4, 5, 6, 7}, "1, 8"));
  const std::vector<float> y =
      run({"ColumnTotal", "--in", "x=x.npy", "--attr", "key=10", "--out-shape", "y=8"}, "y");
  ASSERT_EQ(y.size(), 8u);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(y[i], 7 + 3 * float(i));
  const auto start = [&](const std::string& with) {
    return opkit({"run", "ColumnTotal", "--opp", "opp", "--in", "x=x.npy", "--attr", "key=10",
                  "--out-shape", "y=8", "--out-initial", with})
        .err;
  };
  EXPECT_THAT(start("y=1"), AllOf(HasSubstr("OPK-RUN-012"), HasSubstr("has an InitValue")));
  EXPECT_THAT(start("yy=1"), AllOf(HasSubstr("OPK-CLI-007"), HasSubstr("--out-initial y=1")));
  EXPECT_THAT(start("y=one"), HasSubstr("OPK-CLI-008"));
}

TEST_F(VendorProject, RefusesFoldersAndMacrosThatWouldBeLost) {
  copy("ops_repo");
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"build", "ops_repo/reduce/column_total"});
    const Shown shown = opkit(words);
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, HasSubstr("OPK-BUILD-011"));
    return shown.err;
  };
  EXPECT_THAT(refused({"-I", "ops_repo/inclde"}),
              AllOf(HasSubstr("-I ops_repo/inclde: there is no such folder"),
                    HasSubstr("try: give one that exists")));
  fs::create_directories(path("a;b"));
  EXPECT_THAT(refused({"-I", "a;b"}), HasSubstr("its path has a ';'"));
  EXPECT_THAT(refused({"-D", "X=1;Y=2"}),
              AllOf(HasSubstr("-D X=1;Y=2: CMake takes"), HasSubstr("define it in a header")));
}

TEST_F(VendorProject, AMixedKernelOnBothKindsOfChips) {
  copy("matmul_leaky");
  build("matmul_leaky");
  constexpr int kM = 64, kN = 64, kK = 48;
  std::vector<float> bias(kN);
  for (int i = 0; i < kN; ++i) bias[size_t(i)] = float(i % 5) - 40;
  write("bias.npy", float_npy(bias));
  // Quarters and small whole numbers: every product and sum is exact in half and float.
  std::vector<float> a(kM * kK), b(kK * kN);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = 0.25f * float(i % 11);
  write("a.npy", half_npy(a, "64, 48"));
  write("b.npy", half_npy(b, "48, 64"));
  // The file of b is dense, however the kernel gets it.
  for (const auto& [soc, format] : std::vector<std::pair<const char*, const char*>>{
           {"Ascend910B1", "ND"}, {"Ascend910B1", "FRACTAL_NZ"}, {"Ascend310P3", "FRACTAL_NZ"}}) {
    const std::vector<float> c =
        run({"MatmulLeaky", "--in", "a=a.npy", "--in", "b=b.npy", "--in", "bias=bias.npy", "--soc",
             soc, "--format", std::string("b=") + format},
            "c");
    ASSERT_EQ(c.size(), size_t{kM} * kN) << soc;
    for (int m = 0; m < kM; ++m) {
      for (int n = 0; n < kN; ++n) {
        float sum = bias[size_t(n)];
        for (int k = 0; k < kK; ++k) sum += a[size_t(m * kK + k)] * b[size_t(k * kN + n)];
        ASSERT_EQ(c[size_t(m * kN + n)], sum > 0 ? sum : 0.125f * sum)
            << soc << " " << format << " at " << m << ", " << n;
      }
    }
  }
  const Shown unknown = opkit({"run", "MatmulLeaky", "--opp", "opp", "--in", "a=a.npy", "--in",
                               "b=b.npy", "--in", "bias=bias.npy", "--format", "b=FRACTAL_NY"});
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("OPK-CLI-008"), HasSubstr("'FRACTAL_NY' is no format")));
  const Shown none = opkit({"run", "MatmulLeaky", "--opp", "opp", "--in", "a=a.npy", "--in",
                            "b=b.npy", "--in", "bias=bias.npy", "--format", "b=NC1HWC0"});
  EXPECT_THAT(none.err, HasSubstr("OPK-CLI-011"));
}

// One folder, two ops: a package and a contract each.
TEST_F(VendorProject, SeveralOpsInOneFolder) {
  copy("matmul_leaky");
  const auto twin = [](std::string text) {
    for (const auto& [from, to] : {std::pair{"MatmulLeaky", "MatmulTwin"},
                                   {"matmul_leaky", "matmul_twin"},
                                   {"MATMUL_LEAKY", "MATMUL_TWIN"}}) {
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        text.replace(at, std::strlen(from), to);
    }
    return text;
  };
  for (const char* file : {"op_host/matmul_leaky.cpp", "op_host/matmul_leaky_tiling.h",
                           "op_kernel/matmul_leaky.cpp"}) {
    const std::string from = std::string("matmul_leaky/") + file;
    write(std::string("matmul_leaky/") + twin(file), twin(read(from)));
  }
  const Shown built = build("matmul_leaky");
  EXPECT_THAT(built.out, AllOf(HasSubstr("MatmulLeaky 0.1.0"), HasSubstr("MatmulTwin 0.1.0")));
  EXPECT_THAT(built.err, HasSubstr("copied to matmul_leaky/matmul_twin_contract.yaml"));

  std::string own = read("matmul_leaky/build/contracts/matmul_twin/op_contract.yaml");
  own.replace(own.find("0.1.0"), 5, "0.2.0");
  write("matmul_leaky/matmul_twin_contract.yaml", own);
  EXPECT_THAT(build("matmul_leaky").out,
              AllOf(HasSubstr("MatmulLeaky 0.1.0"), HasSubstr("MatmulTwin 0.2.0")));

  own.replace(own.find("MatmulTwin"), 10, "MatmulSeen");
  write("matmul_leaky/matmul_twin_contract.yaml", own);
  const Shown refused = opkit({"build", "matmul_leaky"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-BUILD-010"),
                                 HasSubstr("is the contract of MatmulSeen, but the sources define "
                                           "MatmulTwin")));
}

TEST_F(VendorProject, RefusesTemplateKeysThatDoNotFitTheKernel) {
  copy("add_act");
  const std::string keys = "add_act/op_kernel/tiling_key_add_act.h", right = read(keys);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string wrong = right;
    const size_t at = wrong.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    write(keys, wrong.replace(at, from.size(), to));
    const Shown shown = opkit({"build", "add_act"});
    EXPECT_EQ(shown.exit_code, 1) << shown.out;
    EXPECT_THAT(shown.err, HasSubstr("OPK-GEN-007"));
    return shown.err;
  };
  EXPECT_THAT(refused("ASCENDC_TPL_BOOL_DECL(WHOLE_BLOCKS, 0, 1), )", ")"),
              HasSubstr("differ in length"));
  EXPECT_THAT(refused("ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, ADD_ACT_NONE)",
                      "ASCENDC_TPL_UINT_SEL(ACT, ASCENDC_TPL_UI_LIST, 7)"),
              HasSubstr("is not declared by ASCENDC_TPL_ARGS_DECL"));
}

TEST_F(VendorProject, RefusesWhatCannotBeBuilt) {
  write("bare/op_host/bare.cpp", "#include \"register/op_impl_registry.h\"\n");
  write("bare/op_kernel/bare.cpp", "\n");
  const Shown bare = opkit({"build", "bare"});
  EXPECT_EQ(bare.exit_code, 1);
  EXPECT_THAT(bare.err, AllOf(HasSubstr("OPK-BUILD-008"), HasSubstr("register no OpDef")));
  write("bare/op_host/bare.cpp",
        "#include \"register/op_def_registry.h\"\nnamespace ops {\nclass Bare : public OpDef {\n "
        "public:\n  explicit Bare(const char* name) : OpDef(name) {\n    "
        "this->Output(\"y\").DataType({ge::DT_FLOAT});\n    "
        "this->AICore().AddConfig(\"ascend910b\");\n  }\n};\nOP_ADD(Bare);\n}\n");
  const Shown untiled = opkit({"build", "bare"});
  EXPECT_EQ(untiled.exit_code, 1);
  EXPECT_THAT(untiled.err, AllOf(HasSubstr("OPK-BUILD-009"), HasSubstr("have no tiling function")));
}

}  // namespace
}  // namespace opkit::e2e
