// What a source says about kernels: names that macros make, task types, launches.
#include "opkit/source_text/source.h"

#include <gmock/gmock.h>

namespace opkit::source_text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
