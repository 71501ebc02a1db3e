// What a source says about kernels: names that macros make, task types, launches.
#include "opkit/build/source_text/source.h"

#include <gmock/gmock.h>

namespace opkit::source_text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

Source read(const std::string& text) {
  const auto source = read_source(text, "a.asc");
  EXPECT_TRUE(source.ok()) << source.error().to_string();
  return source.ok() ? *source : Source();
}
std::vector<std::string> names(const Source& source) {
  std::vector<std::string> found;
  for (const KernelDefinition& kernel : source.kernels) found.push_back(kernel.name);
  return found;
}

TEST(Source, KernelsWithTheirParameters) {
  const Source source = read(
      "extern \"C\" __global__ __aicore__ void add(GM_ADDR x, uint32_t n) {}\n"
      "__global__ void declared(GM_ADDR x);\n"
      "template <typename T> __global__ __mix__(1, 2) __aicore__ void both() {}\n");
  EXPECT_THAT(names(source), ElementsAre("add", "both"));
  EXPECT_EQ(source.kernels[0].parameters, "GM_ADDR x, uint32_t n");
  EXPECT_EQ(source.kernels[1].parameters, "");
  EXPECT_FALSE(source.kernels[0].is_template);
  EXPECT_TRUE(source.kernels[1].is_template);
}

TEST(Source, KernelsMarkedInBrackets) {
  const Source source = read(
      "extern \"C\" __global__ [aicore] void add(GM_ADDR x) {}\n"
      "template <typename T> [aicore] __global__ void both() {\n"
      "  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE);\n}\n");
  EXPECT_THAT(names(source), ElementsAre("add", "both"));
  EXPECT_TRUE(source.kernels[1].is_template);
  EXPECT_FALSE(source.kernels[1].task_type) << "said of chips whose core does both";
}

TEST(Source, ALaunchInALaunchIsRefused) {
  for (const char* text : {"void f() {\n  k < a<<<1, n, s>>>(x) > <<<1, n,\n s>>>(y);\n}\n",
                           "void f() {\n  a<<<b<<<1, n,\n s>>>(x), n, s>>>(y);\n}\n"}) {
    const auto source = read_source(text, "a.asc");
    ASSERT_FALSE(source.ok()) << source->rewritten;
    EXPECT_EQ(source.error().code, "OPK-CC-003");
    EXPECT_EQ(source.error().where.line, 2);
  }
}

TEST(Source, LoadingKernelsIsACall) {
  EXPECT_TRUE(read("void f() { aclrtBinaryLoadFromFile(p, nullptr, &b); }\n").kernels_elsewhere);
  EXPECT_TRUE(read("void f() { aclrtBinaryLoadFromData(p, 9, nullptr, &b); }\n").kernels_elsewhere);
  EXPECT_FALSE(read("// aclrtBinaryLoadFromFile\nconst char* s = \"aclrtBinaryLoadFromFile\";\n")
                   .kernels_elsewhere);
}

TEST(Source, CallingAnInstalledOpNeedsNoKernel) {
  EXPECT_TRUE(
      read("int main() { return aclnnAddGetWorkspaceSize(x, y, &n, &e); }\n").kernels_elsewhere);
  EXPECT_FALSE(
      read("int main() { return aclnnGetWorkspace(x) + GetWorkspaceSize(); }\n").kernels_elsewhere);
}

TEST(Source, AHostOfModelsNeedsNoKernel) {
  EXPECT_TRUE(read("void f() { aclmdlLoadFromFile(p, &id); }\n").kernels_elsewhere);
  EXPECT_TRUE(read("void f() { aclopExecuteV2(\"Add\", 0); }\n").kernels_elsewhere);
  EXPECT_TRUE(read("int main() { return aclgrphBuildModel(g, o, m); }\n").kernels_elsewhere);
  EXPECT_TRUE(read("int main() { return aclInit(nullptr); }\n").kernels_elsewhere);
  EXPECT_FALSE(read("int main() { return aclError(); }\n").kernels_elsewhere);
}

TEST(Source, KernelsOfMacros) {
  const Source source = read(
      "#define ONE(TYPE, NAME)                         \\\n"
      "  __global__ void NAME##_of_##TYPE(TYPE* x) {   \\\n"
      "    run<TYPE>(x);                               \\\n"
      "  }\n"
      "#define TWICE(N) ONE(float, N)\n"
      "ONE(float, sum)\n"
      "ONE(std::pair<int, int>, pair)  // a comma in brackets <> separates, as for the "
      "preprocessor\n"
      "ONE(half, sum)\n"
      "#undef ONE\n");
  EXPECT_THAT(names(source), ElementsAre("sum_of_float", "int>_of_std::pair<int", "sum_of_half"));
  EXPECT_EQ(source.kernels[2].parameters, "half* x");
}

// Macros that use the macro, as often as they are used themselves.
TEST(Source, KernelsOfMacrosInMacros) {
  const Source source = read(
      "#define ONE(TYPE, SLOT) __global__ void copy_##TYPE##_##SLOT(TYPE* x, SLOT* y) {}\n"
      "#define BOTH(TYPE)    \\\n"
      "  ONE(TYPE, int32_t); \\\n"
      "  ONE(TYPE, int64_t);\n"
      "#define ALL BOTH(half) BOTH(float)\n"
      "BOTH(int8_t)\n"
      "ALL\n"
      "#define NEVER(T) ONE(T, T)\n");
  EXPECT_THAT(names(source), UnorderedElementsAre("copy_int8_t_int32_t", "copy_int8_t_int64_t",
                                                  "copy_half_int32_t", "copy_half_int64_t",
                                                  "copy_float_int32_t", "copy_float_int64_t"));
  for (const KernelDefinition& kernel : source.kernels) EXPECT_TRUE(kernel.of_macro);
  EXPECT_THAT(source.kernels[0].parameters, HasSubstr("int32_t* y"));
}

TEST(Source, MacrosThatNameThemselvesEnd) {
  EXPECT_THAT(names(read("#define A(N) B(N) __global__ void N() {}\n#define B(N) A(N)\nA(k)\n")),
              testing::Contains("k"));
  EXPECT_THAT(names(read("#define A(N) A(N) __global__ void N() {}\nA(k)\n")), ElementsAre("k"));
}

// The name of a kernel may be a macro's call, where it is defined and where it is launched.
TEST(Source, NamesThatMacrosMake) {
  const Source source = read(
      "#define NAME(T, F) add_##T##_##F\n"
      "#define KERNEL(T) __global__ void NAME(T, nd)(T* x, int n) {}\n"
      "#define GO(T) NAME(T, nd)<<<4, nullptr, s>>>(x, 3)\n"
      "KERNEL(half)\n"
      "KERNEL(float)\n"
      "__global__ void NAME(int8_t, nz)(int* y) {}\n");
  EXPECT_THAT(names(source), UnorderedElementsAre("add_half_nd", "add_float_nd", "add_int8_t_nz"));
  EXPECT_EQ(source.kernels[0].parameters, "half* x, int n");
  EXPECT_THAT(source.rewritten, HasSubstr("Kernel<&NAME(T, nd)>::on(OPKIT_LAUNCH_NAME(NAME(T,nd)), "
                                          "4, nullptr, s)(x, 3)"));
}

TEST(Source, AMacroThatIsNeverUsedDefinesNothing) {
  EXPECT_THAT(names(read("#define K(N) __global__ void N() {}\n")), ElementsAre());
  EXPECT_THAT(names(read("#define K __global__ void k() {}\nK\n")), ElementsAre("k"));
}

TEST(Source, LaunchesNameTheirKernelBehindMacros) {
  const Source source = read(
      "#define GO(K) K<<<4, nullptr, s>>>(x)\n"
      "void f() { ns::k<float, 2> <<<1, nullptr, s>>>(x); }\n"
      "#define ON(T) add_##T<<<1, 0, s>>>(x)\n");
  EXPECT_THAT(source.rewritten,
              HasSubstr("::opkit_launch::Kernel<&K>::on(OPKIT_LAUNCH_NAME(K), 4, nullptr, s)(x)"));
  EXPECT_THAT(source.rewritten,
              HasSubstr("Kernel<&ns::k<float, 2> >::on(OPKIT_LAUNCH_NAME(ns::k)"));
  EXPECT_THAT(source.rewritten, HasSubstr("Kernel<&add_##T>::on(OPKIT_LAUNCH_NAME(add_##T), 1"));
  EXPECT_THAT(source.rewritten, Not(HasSubstr("<<<")));
}

TEST(Source, AByteOrderMarkIsLeftOut) {
  const Source source = read("\xef\xbb\xbf__global__ void k() {}\n");
  EXPECT_THAT(names(source), ElementsAre("k"));
  EXPECT_EQ(source.rewritten, "__global__ void k() {}\n");
}

TEST(Source, HeadersOfLaunchesByName) {
  EXPECT_TRUE(read("#include \"aclrtlaunch_add.h\"\n").launches_by_name);
  EXPECT_FALSE(read("#include \"add.h\"\n").launches_by_name);
}

}  // namespace
}  // namespace opkit::source_text
