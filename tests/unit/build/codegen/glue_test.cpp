#include "opkit/build/codegen/glue.h"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "opkit/abi/types.h"
#include "opkit/build/codegen/host_source.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/build/codegen/read_kernel.h"
#include "opkit/build/codegen/task_type.h"
#include "opkit_test_paths.h"

namespace opkit::codegen {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Holds the arguments of a kernel with three tensors.
constexpr const char* kArguments =
    "(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {}\n";

OpContract add_relu() {
  auto contract = OpContract::load(OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_contract.yaml");
  EXPECT_TRUE(contract.ok());
  return *contract;
}

KernelSource source_of(const std::string& text, const std::string& entry = "k") {
  const auto source = read_kernel_text(text, "k.cpp", entry);
  EXPECT_TRUE(source.ok()) << source.error().to_string();
  return source.ok() ? *source : KernelSource();
}

TEST(TaskType, IsReadFromTheSourceWhenTheContractIsSilent) {
  OpContract contract = add_relu();
  contract.kernel.reset();
  const auto type = [&](const char* text) { return default_task_type(contract, source_of(text)); };
  EXPECT_EQ(type("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);"), OPK_TASK_MIX_1_1);
  EXPECT_EQ(type("Add(z, x, y, n); // KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY)"),
            OPK_TASK_AIV_ONLY);
  EXPECT_EQ(type("Mmad(c, a, b, p);"), kTaskTypeByReach);
}

TEST(TaskType, SuggestsTheNearestKernelType) {
  const auto type =
      read_kernel_text("\n KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLI)", "k.cpp", "k");
  ASSERT_FALSE(type.ok());
  EXPECT_EQ(type.error().code, "OPK-GEN-001");
  EXPECT_THAT(type.error().message, HasSubstr("KERNEL_TYPE_AIV_ONLI"));
  EXPECT_THAT(type.error().action, HasSubstr("did you mean 'KERNEL_TYPE_AIV_ONLY'?"));
  EXPECT_EQ(type.error().where.line, 2);
}

// Page "Setting the Kernel Type": these are for chips whose core does both kinds of work.
TEST(TaskType, OfChipsWithJoinedCoresSaysNothing) {
  const KernelSource source = source_of(
      "#if __CCE_AICORE__ == 200\nKERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE);\n#else\n"
      "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n#endif\n");
  EXPECT_EQ(source.task_type, OPK_TASK_MIX_1_2);
}

TEST(TaskType, RefusesTwoDefaults) {
  const auto type = read_kernel_text(
      "#if A\nKERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);\n#else\n"
      "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n#endif\n",
      "k.cpp", "k");
  ASSERT_FALSE(type.ok());
  EXPECT_EQ(type.error().code, "OPK-GEN-004");
  EXPECT_EQ(type.error().where.line, 4);
}

TEST(KernelSource, ReadsTheTemplateOfTheEntry) {
  const KernelSource source = source_of(
      "template <typename T> void other(T);\n"
      "template <uint32_t MODE, typename T = Pair<int, 2>, ns::Kind kind = (3 > 2), auto X, bool>\n"
      "__global__ __aicore__ void k(GM_ADDR x, GM_ADDR w, GM_ADDR t) {}\n");
  ASSERT_TRUE(source.parameters.has_value());
  ASSERT_EQ(source.parameters->size(), 5u);
  EXPECT_EQ((*source.parameters)[0].type, "uint32_t");
  EXPECT_TRUE((*source.parameters)[1].is_type);
  EXPECT_EQ((*source.parameters)[2].type, "ns::Kind");
  EXPECT_EQ((*source.parameters)[3].type, "auto");
  EXPECT_EQ((*source.parameters)[4].type, "bool");
  EXPECT_FALSE(source_of("extern \"C\" __global__ __aicore__ void k(GM_ADDR x) {}").parameters);
}

TEST(KernelSource, RefusesTemplateTemplateParameters) {
  const auto source = read_kernel_text(
      "template <template <typename> class C> __global__ __aicore__ void k(GM_ADDR x) {}", "k.cpp",
      "k");
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code, "OPK-GEN-005");
  EXPECT_THAT(source.error().message, HasSubstr("template <typename> class C"));
}

TEST(KernelSource, FindsDeclarationsInNamespaces) {
  const KernelSource source = source_of(
      "namespace a { namespace b::c {\nASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_BOOL_DECL(B, 0, 1));\n"
      "ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIC_ONLY)));}"
      "}");
  EXPECT_TRUE(source.declares_template);
  EXPECT_EQ(source.template_scope, "a::b::c::");
  EXPECT_TRUE(source.selects_cube);
  EXPECT_FALSE(source.selects_vector);
}

TEST(KernelSource, CollectsKeys) {
  const KernelSource source = source_of(
      "#define BIG (10'000UL)\n"
      "namespace n { constexpr uint64_t kSmall = 7; enum { kFirst = 8, kSecond }; }\n"
      "void k() { if (TILING_KEY_IS(1)) {} else if (TILING_KEY_IS(1UL)) {}\n"
      "if (TILING_KEY_IS(BIG) || TILING_KEY_IS(kSmall) || TILING_KEY_IS(kSecond)) {} }");
  EXPECT_THAT(source.keys, ElementsAre("1", "10'000UL", "7", "n::kSecond"));
  EXPECT_TRUE(source.keys_known);
  EXPECT_FALSE(source.constant_key);
  const KernelSource local =
      source_of("void k() { const int here = 3; if (TILING_KEY_IS(here)) {} }");
  EXPECT_FALSE(local.keys_known);
  EXPECT_EQ(literal_key("0x1Ful"), 31u);
  EXPECT_EQ(literal_key("10'000UL"), 10000u);
  EXPECT_FALSE(literal_key("kSmall"));
}

TEST(KernelSource, KnowsWhereTheKeyMustBeAConstant) {
  const auto constant = [](const char* text) { return source_of(text).constant_key; };
  EXPECT_TRUE(constant("void k() { if constexpr (TILING_KEY_IS(1)) {} }"));
  EXPECT_TRUE(constant("#if TILING_KEY_IS(1)\n#endif\n"));
  EXPECT_TRUE(constant("void k() { constexpr bool b = TILING_KEY_IS(1); }"));
  EXPECT_TRUE(constant("void k() { Op<TILING_KEY_IS(1)> op; }"));
  EXPECT_TRUE(constant("static_assert(TILING_KEY_IS(1));"));
  EXPECT_TRUE(constant("void k() { Op<TILING_KEY_VAR> op; }"));
  EXPECT_FALSE(constant("void k() { if (TILING_KEY_IS(1)) {} if constexpr (B) {} }"));
  EXPECT_FALSE(constant("void k(const int* p) { if (TILING_KEY_IS(1)) {} }"));
}

HostSource host_of(const std::string& text, const std::string& header = "") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("opkit-host-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "own");
  std::ofstream(folder / "host.cpp") << text;
  std::ofstream(folder / "own/tiling.h") << header;
  const HostSource source = read_host("Op", {folder / "host.cpp"}, {folder / "own"});
  std::filesystem::remove_all(folder);
  return source;
}

TEST(HostSource, KnowsStructsOfSingleKeys) {
  const HostSource source = host_of(
      "REGISTER_TILING_DATA_CLASS(Op, A)\nREGISTER_TILING_DATA_CLASS(Op_12, B)\n"
      "REGISTER_TILING_DATA_CLASS(Op_x, C)\nREGISTER_TILING_DATA_CLASS(Ops_3, D)\n"
      "// REGISTER_TILING_DATA_CLASS(Op_13, B)\n");
  EXPECT_TRUE(source.registers_tiling);
  EXPECT_THAT(source.key_structs, ElementsAre(std::make_pair("12", "B")));
}

TEST(HostSource, FollowsQuotedIncludesAndPassesOverComments) {
  const std::string registers = "REGISTER_TILING_DATA_CLASS(Op, A)";
  EXPECT_TRUE(host_of("#include \"tiling.h\"", registers).registers_tiling);
  EXPECT_FALSE(host_of("// #include \"tiling.h\"", registers).registers_tiling);
  EXPECT_FALSE(host_of("/* REGISTER_TILING_DATA_CLASS(Op, A) */").registers_tiling);
  EXPECT_EQ(host_of("#include \"tiling.h\"\n#include \"none.h\"").files.size(), 2u);
}

TEST(Glue, HasOneUnitPerColumnAndPass) {
  OpContract contract = add_relu();
  GlueRequest request;
  request.contract = &contract;
  request.kernel = OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_kernel/add_relu.cpp";
  const auto glue = make_glue(request);
  ASSERT_TRUE(glue.ok());
  ASSERT_EQ(glue->files.size(), contract.column_count() + 1);
  EXPECT_EQ(glue->files[1].name, "kernel_c1_aiv.cpp");
  EXPECT_THAT(glue->files[1].text, HasSubstr("#define DTYPE_X float\n"));
  // GCC takes precompiled what comes before every other include.
  const std::string first = glue->files[1].text.substr(glue->files[1].text.find("#include"));
  EXPECT_THAT(first, StartsWith("#include \"opkit_kernel/prelude.h\"\n"));
  EXPECT_EQ(glue->files.back().name, "plugin.cpp");
}

class GlueOf : public ::testing::Test {
 protected:
  GlueOf() {
    folder_ = std::filesystem::temp_directory_path() / ("opkit_glue_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~GlueOf() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  Result<Glue> glue(const std::string& kernel) {
    write("k.cpp", kernel);
    GlueRequest request;
    request.contract = &contract_;
    request.kernel = folder_ / "k.cpp";
    request.column = column_;
    if (std::filesystem::exists(folder_ / "host.cpp")) request.host = {folder_ / "host.cpp"};
    return make_glue(request);
  }
  std::vector<std::string> names(const std::string& kernel) {
    const auto made = glue(kernel);
    EXPECT_TRUE(made.ok()) << made.error().to_string();
    std::vector<std::string> all;
    if (made.ok()) {
      for (const GlueFile& file : made->files) all.push_back(file.name);
    }
    return all;
  }
  std::string text(const std::string& name, const std::string& kernel) {
    const auto made = glue(kernel);
    if (made.ok()) {
      for (const GlueFile& file : made->files) {
        if (file.name == name) return file.text;
      }
    }
    return "no " + name;
  }

  std::filesystem::path folder_;
  OpContract contract_ = one_column();
  std::string column_;

 private:
  static OpContract one_column() {
    auto contract = OpContract::parse(
        "op: K\nversion: \"1.0.0\"\ninputs:\n  x: {dtype: float16, shape: \"S..\"}\n"
        "  b: {dtype: int32, shape: \"S..\", presence: optional}\n"
        "outputs:\n  x_out: {dtype: float16, shape: \"S..\", inplace: x}\n"
        "soc: [Ascend910B]\nreference: {none: \"for the test\"}\n",
        "k.yaml");
    EXPECT_TRUE(contract.ok()) << contract.error().to_string();
    return *contract;
  }
};

TEST_F(GlueOf, KeysAreRowsOfOneUnitUnlessTheyAreConstants) {
  EXPECT_THAT(names("void k() { if (TILING_KEY_IS(1)) {} if (TILING_KEY_IS(2)) {} }"),
              ElementsAre("kernel_c0_aiv.cpp", "plugin.cpp"));
  const char* constant = "void k() { if constexpr (TILING_KEY_IS(1)) {} if (TILING_KEY_IS(2)) {} }";
  EXPECT_THAT(names(constant),
              ElementsAre("kernel_c0_k0_aiv.cpp", "kernel_c0_k1_aiv.cpp", "plugin.cpp"));
  EXPECT_THAT(text("kernel_c0_k1_aiv.cpp", constant), HasSubstr("#define TILING_KEY_VAR (2)\n"));
}

// The object says what a kernel that names no key, and no type, is built for.
TEST_F(GlueOf, KeysAndTypesThatAreNotStatedAreLeftToTheLinker) {
  const std::string plain = text("kernel_c0_aiv.cpp", "void k() {}");
  EXPECT_THAT(plain, HasSubstr("static_cast<uint64_t>(::opkit_kernel::kKeyByReach), 0, "));
  const std::string named =
      text("kernel_c0_aiv.cpp", "void unused() { Mmad(); }\nvoid k() { if (TILING_KEY_IS(3)) {} }");
  EXPECT_THAT(named, HasSubstr("static_cast<uint64_t>(3), ::opkit_kernel::kTypeByReach, "));
  EXPECT_THAT(named, HasSubstr("&::AscendC::detail::reach_unit"));
  const std::string stated = text(
      "kernel_c0_aiv.cpp", "void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY); Mmad(); }");
  EXPECT_THAT(stated, HasSubstr(", 0, &opkit_run"));
}

// KERNEL_TASK_TYPE says of which type a key is, and makes none.
TEST_F(GlueOf, OnlyBranchesMakeKeys) {
  const std::string unit = text("kernel_c0_aiv.cpp",
                                "void k() { KERNEL_TASK_TYPE(2, KERNEL_TYPE_AIV_ONLY);\n"
                                "if (TILING_KEY_IS(1)) {} }");
  EXPECT_THAT(unit, HasSubstr("static_cast<uint64_t>(1)"));
  EXPECT_THAT(unit, ::testing::Not(HasSubstr("static_cast<uint64_t>(2)")));
}

TEST_F(GlueOf, OptionalInputsAndInPlaceOutputsHaveMacros) {
  const std::string unit = text("kernel_c0_aiv.cpp", "void k() {}");
  EXPECT_THAT(unit, HasSubstr("#define DTYPE_B int32_t\n#define ORIG_DTYPE_B DT_INT32\n"));
  EXPECT_THAT(unit, HasSubstr("#define DTYPE_X_OUT half\n"));
  EXPECT_THAT(unit, HasSubstr("#define FORMAT_X_REF FORMAT_ND\n"));
}

TEST_F(GlueOf, ConstantKeysMustBeKnown) {
  const auto files = glue("template <int N> void k() { if constexpr (TILING_KEY_IS(N)) {} }");
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-GEN-006");
  EXPECT_THAT(files.error().message, HasSubstr("k.cpp needs its tiling key"));
  contract_.kernel.emplace().tiling_keys = {4, 5};
  EXPECT_EQ(names("template <int N> void k() { if constexpr (TILING_KEY_IS(N)) {} }").size(), 3u);
}

TEST_F(GlueOf, OneColumnIsBuiltAlone) {
  contract_ = add_relu();
  contract_.kernel.reset();
  contract_.op = "K";
  const std::string source = std::string("__global__ __aicore__ void k") + kArguments;
  const size_t units = names(source).size() - 1;  // beside plugin.cpp
  for (const std::string& name : {std::string("1"), contract_.column_name(1),
                                  std::string(name_of(contract_.inputs[0].dtypes[1]))}) {
    column_ = name;
    const std::vector<std::string> made = names(source);
    EXPECT_EQ(made.size(), units / contract_.column_count() + 1) << name;
    EXPECT_THAT(made[0], StartsWith("kernel_c1_")) << name;
  }
  column_ = "float8";
  const auto files = glue(source);
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-GEN-012");
  EXPECT_THAT(files.error().message, AllOf(HasSubstr("'float8'"), HasSubstr("0 (")));
}

TEST_F(GlueOf, KeysWithStructsMustBeNumbers) {
  const auto files = glue(
      "enum { kKey };\n"
      "void k() { REGISTER_TILING_FOR_TILINGKEY(\"TILING_KEY_VAR == 3\", A);\n"
      "if (TILING_KEY_IS(kKey)) {} }");
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-GEN-008");
  EXPECT_THAT(files.error().message, HasSubstr("the key 'kKey'"));
}

TEST_F(GlueOf, TemplatesNeedADeclaration) {
  const auto files =
      glue(std::string("template <int N> __global__ __aicore__ void k") + kArguments);
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-GEN-003");
  EXPECT_THAT(files.error().message, HasSubstr("k is a template"));
}

TEST_F(GlueOf, TemplatesFindTheirDeclarationInHeaders) {
  write("key.h", "namespace n {\nASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_BOOL_DECL(B, 0, 1));\n}\n");
  const std::string unit =
      text("kernel_c0_aiv.cpp",
           std::string("#include \"key.h\"\ntemplate <bool B> __global__ __aicore__ void k") +
               kArguments);
  EXPECT_THAT(unit, HasSubstr("span_of(::n::opkit_template_arguments)"));
  EXPECT_THAT(unit, HasSubstr("k<static_cast<bool>(rows.rows[I].values[0])>("));
  // The compiler compares the template with the declaration.
  EXPECT_THAT(unit, HasSubstr("parameters_in(opkit_declared) == 1, \"OPK-GEN-007: "));
  EXPECT_THAT(unit, HasSubstr("is_type(opkit_declared, 0) == false, \"OPK-GEN-007: "));
  EXPECT_THAT(unit, HasSubstr("opkit_dtypes[] = {1, 3, 1}, opkit_formats[] = {2, 2, 2};"));
}

TEST_F(GlueOf, ChipsDecideTheUnitsOfAMixedKernel) {
  const char* mixed = "void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2); }";
  EXPECT_THAT(names(mixed), ElementsAre("kernel_c0_aic.cpp", "kernel_c0_aiv.cpp", "plugin.cpp"));
  contract_.soc = {"Ascend910B", "Ascend310P"};
  EXPECT_THAT(names(mixed), ElementsAre("kernel_c0_aic.cpp", "kernel_c0_aiv.cpp",
                                        "kernel_c0_mix.cpp", "plugin.cpp"));
  EXPECT_THAT(text("kernel_c0_mix.cpp", mixed),
              HasSubstr("#define __NPU_ARCH__ 2002\n#define __CCE_AICORE__ 200\n"));
  contract_.soc = {"Ascend310P3"};
  EXPECT_THAT(names(mixed), ElementsAre("kernel_c0_mix.cpp", "plugin.cpp"));
  // A kernel for vector cores alone, too, when the contract names a chip of an older architecture.
  const char* vector = "void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY); }";
  EXPECT_THAT(names(vector), ElementsAre("kernel_c0_mix.cpp", "plugin.cpp"));
  EXPECT_THAT(text("kernel_c0_mix.cpp", vector), AllOf(HasSubstr("#define __NPU_ARCH__ 2002"),
                                                       HasSubstr("#define __CCE_AICORE__ 200")));
  contract_.soc = {"Ascend910B", "Ascend310P"};
  EXPECT_THAT(names(vector), ElementsAre("kernel_c0_aiv.cpp", "kernel_c0_mix.cpp", "plugin.cpp"));
  contract_.soc = {"Ascend910B", "Ascend310B"};
  EXPECT_THAT(names(vector), ElementsAre("kernel_c0_aiv.cpp", "plugin.cpp"));
  contract_.soc = {};
  EXPECT_THAT(names(vector), ElementsAre("kernel_c0_aiv.cpp", "plugin.cpp"));
  EXPECT_THAT(names("void k() {}"), ElementsAre("kernel_c0_aiv.cpp", "plugin.cpp"));
}

TEST_F(GlueOf, KeysMayHaveKernelTypesOfTheirOwn) {
  const char* kernel =
      "void k() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);\n"
      "KERNEL_TASK_TYPE(2, KERNEL_TYPE_MIX_AIC_1_1);\n"
      "if (TILING_KEY_IS(1)) {} if (TILING_KEY_IS(2)) {} }";
  EXPECT_THAT(names(kernel), ElementsAre("kernel_c0_aic.cpp", "kernel_c0_aiv.cpp", "plugin.cpp"));
  const std::string unit = text("kernel_c0_aic.cpp", kernel);
  EXPECT_THAT(unit, HasSubstr("static_cast<uint64_t>(1), 0, &opkit_run)"));
  EXPECT_THAT(unit, HasSubstr("static_cast<uint64_t>(2), 2, &opkit_run)"));
}

TEST_F(GlueOf, AKeysOwnStructIsWhatGetTilingDataReads) {
  write("host.cpp", "REGISTER_TILING_DATA_CLASS(K, A)\nREGISTER_TILING_DATA_CLASS(K_7, A)\n");
  const char* kernel =
      "void k() { GET_TILING_DATA(t, tiling); if (TILING_KEY_IS(1)) {} if (TILING_KEY_IS(7)) {} }";
  EXPECT_THAT(names(kernel),
              ElementsAre("kernel_c0_k0_aiv.cpp", "kernel_c0_k1_aiv.cpp", "plugin.cpp"));
  EXPECT_THAT(text("kernel_c0_k1_aiv.cpp", kernel),
              HasSubstr("#define OPKIT_KEY_STRUCTS 1\n#include \"tiling_structs.h\"\n"));
  // A key that the host alone names has no kernel where the kernel names its keys.
  EXPECT_THAT(names("void k() { GET_TILING_DATA(t, tiling); if (TILING_KEY_IS(1)) {} }"),
              ElementsAre("kernel_c0_k0_aiv.cpp", "plugin.cpp"));
  write("host.cpp", "REGISTER_TILING_DATA_CLASS(K, A)\n");
  EXPECT_THAT(text("kernel_c0_aiv.cpp", kernel),
              HasSubstr("#define OPKIT_KEY_STRUCTS 0\n#include \"tiling_structs.h\"\n"));
}

// A helper of the vendor's samples; plugins are launched through their tables.
TEST_F(GlueOf, LaunchesInTheKernelsSourceAreTakenOut) {
  const char* kernel = "void k() {}\nvoid k_do(void* s) { k<<<1, nullptr, s>>>(); }\n";
  EXPECT_THAT(names(kernel), ElementsAre("kernel_c0_aiv.cpp", "kernel_source.h", "plugin.cpp"));
  EXPECT_THAT(text("kernel_source.h", kernel),
              AllOf(HasSubstr("#line 1 \""), HasSubstr("Kernel<&k>::on("), Not(HasSubstr("<<<"))));
  const std::string unit = text("kernel_c0_aiv.cpp", kernel);
  EXPECT_THAT(unit, AllOf(HasSubstr("opkit_kernel/no_launch.h"), HasSubstr("kernel_source.h"),
                          Not(HasSubstr("__CCE_KT_TEST__"))));
  EXPECT_THAT(text("kernel_c0_aiv.cpp", "void k() { int s = 1 << 2; }"),
              Not(HasSubstr("no_launch")));
}

// Returns what make_glue says to a kernel file with this text.
Error refusal_of_kernel(const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "opkit_entry" /
                                     testing::UnitTest::GetInstance()->current_test_info()->name() /
                                     "add_relu.cpp";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
  const OpContract contract = add_relu();
  const auto glue = make_glue({&contract, file, {}, {}, {}});
  return glue.ok() ? Error() : glue.error();
}

TEST(KernelEntry, HasTheNameThatTheContractSays) {
  const std::string mark = "extern \"C\" __global__ __aicore__ void ";
  EXPECT_EQ(refusal_of_kernel(mark + "add_relu" + kArguments).code, "");
  const Error other = refusal_of_kernel("\n" + mark + "add_rel" + kArguments);
  EXPECT_EQ(other.code, "OPK-GEN-010");
  EXPECT_EQ(other.where.line, 2);
  EXPECT_THAT(other.where.file,
              HasSubstr("opkit_entry/HasTheNameThatTheContractSays/add_relu.cpp"));
  EXPECT_THAT(other.message, HasSubstr("no kernel function add_relu, but add_rel"));
  EXPECT_EQ(other.action, "call it add_relu, or write kernel: {entry: add_rel} in the contract");
  const Error none = refusal_of_kernel("inline void help() {}\n");
  EXPECT_EQ(none.code, "OPK-GEN-010");
  EXPECT_THAT(none.action, HasSubstr("void add_relu(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR "
                                     "workspace, GM_ADDR tiling)"));
}

TEST(KernelEntry, TakesTheArgumentsThatTheContractMakes) {
  const std::string mark = "\n\n__global__ __aicore__ void add_relu";
  const Error fewer =
      refusal_of_kernel(mark + "(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {}\n");
  EXPECT_EQ(fewer.code, "OPK-GEN-011");
  EXPECT_EQ(fewer.where.line, 3);
  EXPECT_THAT(fewer.message, HasSubstr("takes 4 arguments, not 5: the contract makes x, y, z, "
                                       "workspace, tiling"));
  const Error number = refusal_of_kernel(
      mark + "(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n, GM_ADDR tiling) {}\n");
  EXPECT_EQ(number.code, "OPK-GEN-011");
  EXPECT_THAT(number.message, HasSubstr("parameter 4 of add_relu is 'uint32_t n'"));
  EXPECT_EQ(refusal_of_kernel(mark + "(__gm__ uint8_t* x, uint8_t *y, GM_ADDR, GM_ADDR w, Address "
                                     "tiling) {}\n")
                .code,
            "");
}

// One of two branches fits; macros are not looked into.
TEST(KernelEntry, WhatThePreprocessorMakesIsTheCompilersBusiness) {
  const std::string mark = "__global__ __aicore__ void add_relu";
  EXPECT_EQ(refusal_of_kernel("#if A\n" + mark + "(GM_ADDR x) {}\n#else\n" + mark + kArguments +
                              "#endif\n")
                .code,
            "");
  EXPECT_EQ(refusal_of_kernel(mark + "(ALL_OF_THEM) {}\n").code, "");
  EXPECT_EQ(refusal_of_kernel("#define KERNEL(a, b) __global__ void a##_##b" +
                              std::string("(GM_ADDR x)\nKERNEL(add, relu) {}\n"))
                .code,
            "");
}

TEST(Glue, OfAnAicpuOpIsItsTablesAlone) {
  auto contract = OpContract::parse(
      "op: JoinOnHost\nversion: \"1.0.0\"\n"
      "inputs:\n  xs: {dtype: float32, shape: \"N[]\", presence: dynamic}\n"
      "  bias: {dtype: float32, shape: \"1\", presence: optional}\n"
      "outputs: {y: {dtype: float32, shape: \"sum(N)\"}}\n"
      "reference: {none: \"a test of glue\"}\nkernel: {task_type: aicpu}\n",
      "c.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  GlueRequest request;
  request.contract = &*contract;
  request.kernel = "/nowhere/op_kernel_aicpu/join_on_host_aicpu.cpp";  // not read
  const auto glue = make_glue(request);
  ASSERT_TRUE(glue.ok()) << glue.error().to_string();
  EXPECT_TRUE(glue->is_aicpu);
  EXPECT_FALSE(glue->includes_tiling_structs);
  ASSERT_EQ(glue->files.size(), 1u);
  EXPECT_EQ(glue->files[0].name, "plugin.cpp");
  EXPECT_THAT(glue->files[0].text, HasSubstr("kDynamic[] = {true, false, false, }"));
  EXPECT_THAT(glue->files[0].text, HasSubstr("run_cpu_kernel(core, args, {kDynamic, 2, 1})"));
  EXPECT_THAT(glue->files[0].text, HasSubstr("OPK_TASK_AICPU, 5, nullptr, run, run"));
}

}  // namespace
}  // namespace opkit::codegen
