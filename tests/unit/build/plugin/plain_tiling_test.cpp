// Plain structs of tiling data: where their fields lie, and which of them nobody has set.
#include "opkit/include/opkit_host/plain_tiling.h"

#include <gmock/gmock.h>

#include <cstring>

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/opkit_host/report.h"

namespace opkit_host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Part {
  uint16_t rows;
  double share;
};
struct AllKinds {
  uint8_t kind;
  uint32_t tails[3];
  Part parts[2];
  bool last;
  TCubeTiling cube;
  int64_t end;
};

constexpr PlainField kFields[] = {
    {"Part", "uint16_t", "rows", 0},        {"Part", "double", "share", 0},
    {"AllKinds", "uint8_t", "kind", 0},     {"AllKinds", "uint32_t", "tails", 3},
    {"AllKinds", "Part", "parts", 2},       {"AllKinds", "bool", "last", 0},
    {"AllKinds", "TCubeTiling", "cube", 0}, {"AllKinds", "int64_t", "end", 0},
    {"Odd", "Unheard", "what", 0},          {"Round", "Round", "again", 0}};
constexpr PlainRoot kRoots[] = {{7, "Part"}, {OPK_ANY_TILING_KEY, "AllKinds"}};
constexpr PlainTiling kTiling = {kFields, 10, kRoots, 2};

uint64_t offset_of(const std::string& name) {
  for (const PlacedField& field : placed_fields(kTiling, "AllKinds")) {
    if (field.name == name) return field.offset;
  }
  return UINT64_MAX;
}

TEST(PlainTiling, LiesAsTheCompilerLaysItOut) {
  EXPECT_EQ(offset_of("kind"), offsetof(AllKinds, kind));
  EXPECT_EQ(offset_of("tails"), offsetof(AllKinds, tails));
  EXPECT_EQ(offset_of("parts[1].share"),
            offsetof(AllKinds, parts) + sizeof(Part) + offsetof(Part, share));
  EXPECT_EQ(offset_of("last"), offsetof(AllKinds, last));
  EXPECT_EQ(offset_of("cube.baseM"), offsetof(AllKinds, cube) + offsetof(TCubeTiling, baseM));
  EXPECT_EQ(offset_of("end"), offsetof(AllKinds, end));
  EXPECT_THAT(placed_fields(kTiling, "Odd"), IsEmpty());
  EXPECT_THAT(placed_fields(kTiling, "Round"), IsEmpty());
  EXPECT_STREQ(plain_root(kTiling, 7), "Part");
  EXPECT_STREQ(plain_root(kTiling, 8), "AllKinds");
}

std::vector<std::string> told(const PlainTiling* tiling, uint64_t key,
                              const std::vector<uint8_t>& data, const std::vector<uint8_t>& probe) {
  std::vector<std::string> texts;
  const opk_report_v1 host{
      sizeof(opk_report_v1), &texts, [](void* to, int32_t, const char* code, const char* text) {
        static_cast<std::vector<std::string>*>(to)->push_back(std::string(code) + " " + text);
      }};
  const ReportScope scope(&host);
  tell_unset(tiling, key, data, probe);
  return texts;
}

TEST(PlainTiling, SaysWhatNobodyHasSet) {
  std::vector<uint8_t> data(sizeof(Part)), probe(sizeof(Part), kUnsetByte);
  std::memset(probe.data() + offsetof(Part, rows), 0, sizeof(Part::rows));  // set, to 0
  EXPECT_THAT(told(&kTiling, 7, data, probe),
              ElementsAre("OPK-HOST-013 field share was never set (Part)"));
  std::memset(probe.data() + offsetof(Part, share), 0, sizeof(double));
  EXPECT_THAT(told(&kTiling, 7, data, probe), IsEmpty());  // padding is no field
  EXPECT_THAT(told(nullptr, 7, data, probe),
              ElementsAre("OPK-HOST-013 word 1 of the tiling data was never set, unless it is "
                          "padding"));
}

}  // namespace
}  // namespace opkit_host
