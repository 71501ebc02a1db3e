#include "opkit/build/project/compiler_advice.h"

#include <gmock/gmock.h>

namespace opkit::project {
namespace {

using testing::HasSubstr;

// As g++ 12 words them.
constexpr const char* kSum =
    "use of deleted function ‘A opkit::operator+(const A&, const B&) [with A = Half; B = Half; "
    "typename std::enable_if<((is_narrow<A> && is_scalar<B>) || (is_narrow<B> && is_scalar<A>)), "
    "int>::type <anonymous> = 0]’";
constexpr const char* kCast = "use of deleted function ‘opkit::BFloat16::operator float() const’";

TEST(CompilerAdvice, NamesTheCureOfHalfArithmetic) {
  const auto advice = advice_for(kSum);
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->message, HasSubstr("arithmetic of single half"));
  EXPECT_THAT(advice->action, HasSubstr("half(float(a) + float(b))"));
  EXPECT_TRUE(is_of_device_only(kSum));
}

TEST(CompilerAdvice, NamesToFloat) {
  const auto advice = advice_for(kCast);
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->action, HasSubstr("ToFloat(x)"));
  EXPECT_TRUE(is_of_device_only(kCast));
}

TEST(CompilerAdvice, NamesTheStackOfACore) {
  const auto advice = advice_for(
      "the frame size of 40992 bytes is larger than 32768 bytes "
      "[-Werror=frame-larger-than=]");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->message, HasSubstr("take 40992 bytes; the stack of a core has 32768"));
  EXPECT_FALSE(is_of_device_only("the frame size of 40992 bytes is larger than 32768 bytes"));
}

TEST(CompilerAdvice, NamesTheCallThatIssuesAnInstruction) {
  for (const auto& [name, call] :
       {std::pair{"vadd", "use Add"}, std::pair{"vadds", "use Adds"},
        std::pair{"vconv_f162f32", "use Cast"}, std::pair{"copy_gm_to_ubuf", "use DataCopy"},
        std::pair{"copy_ubuf_to_gm_align_b16", "use DataCopyPad"}, std::pair{"mad", "use Mmad"}}) {
    const auto advice = advice_for("‘" + std::string(name) + "’ was not declared in this scope");
    ASSERT_TRUE(advice) << name;
    EXPECT_THAT(advice->message, HasSubstr(name));
    EXPECT_EQ(advice->action, call);
  }
  EXPECT_FALSE(advice_for("‘madly’ was not declared in this scope"));
  EXPECT_FALSE(advice_for("‘vaddress’ was not declared in this scope; did you mean ‘address’?"));
}

TEST(CompilerAdvice, NamesTheCallInTemplates) {
  const auto advice = advice_for(
      "there are no arguments to ‘vector_dup’ that depend on a template parameter, so a "
      "declaration of ‘vector_dup’ must be available [-fpermissive]");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->message, HasSubstr("vector_dup is an instruction"));
  EXPECT_EQ(advice->action, "use Duplicate");
  EXPECT_FALSE(advice_for("there are no arguments to ‘scale’ that depend on a template parameter"));
}

TEST(CompilerAdvice, LeavesTheSentenceOfANameThatIsRefused) {
  const auto use = advice_for(
      "static assertion failed: LoadData2DParamsV2 is not emulated: arch 2201 does not have it; "
      "use LoadData2DParams");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->message, "LoadData2DParamsV2 is not emulated: arch 2201 does not have it");
  EXPECT_EQ(use->action, "use LoadData2DParams");
  const auto page = advice_for(
      "static assertion failed: FixpipeParams is not emulated: the page \"Fixpipe\" gives "
      "FixpipeParamsV220");
  ASSERT_TRUE(page);
  EXPECT_THAT(page->message, HasSubstr("FixpipeParams is not emulated"));
  EXPECT_FALSE(advice_for("static assertion failed: my own"));
}

TEST(CompilerAdvice, SaysWhoseHeaderIsMissing) {
  const auto missing = advice_for("aclnnop/aclnn_add_custom.h: No such file or directory");
  ASSERT_TRUE(missing);
  EXPECT_THAT(missing->message, HasSubstr("AddCustom as a rule"));
  EXPECT_EQ(missing->action, "opkit why AddCustom");
  const auto internal = advice_for("opdev/op_executor.h: No such file or directory");
  ASSERT_TRUE(internal);
  EXPECT_THAT(internal->action, HasSubstr("out of op_host"));
  EXPECT_FALSE(advice_for("my_tiling.h: No such file or directory"));
}

TEST(CompilerAdvice, AsksForTheStructOfTilingData) {
  const auto advice = advice_for("‘OpkitDefaultTiling’ was not declared in this scope");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->message, HasSubstr("GET_TILING_DATA does not say of which struct"));
  EXPECT_THAT(advice->action, HasSubstr("GET_TILING_DATA_WITH_STRUCT(Struct, name, tiling)"));
}

TEST(CompilerAdvice, MovesAConstantOutOfItsFunction) {
  const auto advice = advice_for(
      "could not convert template argument ‘kConfig’ from ‘const Config’ to ‘const Config&’");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->message, HasSubstr("‘kConfig’"));
  EXPECT_THAT(advice->action, HasSubstr("out of the function"));
}

TEST(CompilerAdvice, OtherErrorsKeepTheirWords) {
  EXPECT_FALSE(advice_for("expected ‘;’ before ‘}’ token"));
  EXPECT_FALSE(advice_for("use of deleted function ‘Queue::Queue(const Queue&)’"));
  EXPECT_FALSE(is_of_device_only("use of deleted function ‘Queue::Queue(const Queue&)’"));
}

}  // namespace
}  // namespace opkit::project
