// Plain structs of tiling data, as the sources of an op write them.
#include "opkit/build/codegen/plain_structs.h"

#include <gmock/gmock.h>

namespace opkit::codegen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string fields_text(const PlainStructs& structs, const std::string& name) {
  const auto found = structs.fields.find(name);
  if (found == structs.fields.end()) return "none";
  std::string text;
  for (const StructField& field : found->second) {
    text += field.type + " " + field.name;
    text += field.count > 0 ? "[" + std::to_string(field.count) + "] " : " ";
  }
  return text;
}

TEST(PlainStructs, AreReadFieldByField) {
  const PlainStructs structs = read_structs_text(R"(
constexpr uint32_t kParts = 4;
#define COLUMNS 3
struct Part { uint64_t first; /* row */ int rows = 0; };
struct AddTiling {
  static constexpr uint32_t kNothing = 1;
  uint32_t m, n = 2, k;
  half scale{};  // scales the sum
  uint16_t tails[kParts][COLUMNS];
  ns::Part parts[2];
  unsigned int last;
};
void host() { auto* tiling = context->GetTilingData<ops::AddTiling>(); }
)");
  EXPECT_EQ(fields_text(structs, "AddTiling"),
            "uint32_t m uint32_t n uint32_t k half scale uint16_t tails[12] Part parts[2] "
            "uint32_t last ");
  EXPECT_EQ(fields_text(structs, "Part"), "uint64_t first int32_t rows ");
  EXPECT_THAT(structs.asked, ElementsAre("AddTiling"));
}

TEST(PlainStructs, AreLeftOutWhenTheirLayoutIsNotClear) {
  for (const char* body : {"uint32_t* p;", "uint32_t a : 4;", "std::vector<int> v;",
                           "uint32_t a[kUnknown];", "const uint32_t a;", "void f() {}",
                           "\n#if X\nuint32_t a;\n#endif\n", "", "union { int a; };"})
    EXPECT_EQ(fields_text(read_structs_text("struct A {" + std::string(body) + "};"), "A"), "none")
        << body;
  EXPECT_EQ(fields_text(read_structs_text("#pragma pack(1)\nstruct A { char c; };"), "A"), "none");
  EXPECT_EQ(fields_text(read_structs_text("struct A : B { int a; };"), "A"), "none");
  EXPECT_EQ(fields_text(read_structs_text("struct A { int a; }; struct A { int b; };"), "A"),
            "none");
  EXPECT_EQ(fields_text(read_structs_text("struct A { int a; } __attribute__((packed));"), "A"),
            "none");
}

TEST(PlainStructs, AreWrittenForTheOp) {
  const PlainStructs structs = read_structs_text(
      "struct A { int a; }; struct B { float b[2]; };\n"
      "GET_TILING_DATA_WITH_STRUCT(A, one, tiling); GET_TILING_DATA_WITH_STRUCT(B, two, tiling);");
  EXPECT_THAT(structs.asked, ElementsAre("A", "B"));
  EXPECT_THAT(plain_structs_text("Op", structs, {}), IsEmpty());  // the one or the other
  const std::string text = plain_structs_text("Op", structs, {{"TILING_KEY_VAR == 2", "B"}});
  EXPECT_THAT(text, HasSubstr("{2u, \"B\"}"));
  EXPECT_THAT(text, HasSubstr("{OPK_ANY_TILING_KEY, \"A\"}"));
  EXPECT_THAT(text, HasSubstr("{\"B\", \"float\", \"b\", 2}"));
  EXPECT_THAT(text, HasSubstr("plain_tilings[\"Op\"]"));
}

TEST(PlainStructs, ChoosesTheDefaultAndTheOuterOne) {
  const std::string text =
      "struct A { int a; }; struct B { A a; float b; };\n"
      "GetTilingData<A>(); GetTilingData<B>();";
  EXPECT_THAT(plain_structs_text("Op", read_structs_text(text), {}), HasSubstr("KEY, \"B\"}"));
  const PlainStructs stated = read_structs_text(text + " REGISTER_TILING_DEFAULT(A);");
  EXPECT_THAT(plain_structs_text("Op", stated, {}), HasSubstr("KEY, \"A\"}"));
}

}  // namespace
}  // namespace opkit::codegen
