// Errors about an OpDef point at the author's lines.
#include "opkit/build/project/definition_place.h"

#include <gmock/gmock.h>

#include <fstream>

#include "opkit/build/project/scratch.h"
#include "opkit/contract/import_msopgen.h"

namespace opkit::project {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"source(// class Pair is below
#include "register/op_def_registry.h"
namespace ops {
class Other : public OpDef {};
class Pair : public OpDef {
 public:
  explicit Pair(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Attr("mode").AttrType(OPTIONAL).String("ND");
  }
};
class Later : public OpDef { Later() { this->Input("late"); } };
OP_ADD(Pair);
OP_ADD(Made);
}  // namespace ops
)source";

class DefinitionPlace : public testing::Test {
 protected:
  DefinitionPlace() {
    std::ofstream(tiling_) << "struct Pair;\n";
    std::ofstream(source_) << kSource;
  }
  std::string place(const std::string& op, const std::vector<std::string>& members) const {
    return shown(definition_place({tiling_, source_}, op, members));
  }
  static std::string shown(const Location& where) {
    return fs::path(where.file).filename().string() + ":" + std::to_string(where.line) + ":" +
           std::to_string(where.column);
  }
  Error about(Error error, const std::string& prototype) const {
    return about_sources(std::move(error), prototype, "prototype.json", {tiling_, source_});
  }

  Scratch scratch_;
  const fs::path tiling_ = scratch_.path() / "pair_tiling.h",
                 source_ = scratch_.path() / "pair.cpp";
};

TEST_F(DefinitionPlace, IsTheClassOrTheCallOfTheMember) {
  EXPECT_EQ(place("Pair", {}), "pair.cpp:5:7");
  EXPECT_EQ(place("Pair", {"x"}), "pair.cpp:8:11");
  EXPECT_EQ(place("Pair", {"gone", "y", "x"}), "pair.cpp:9:11") << "the first that is there";
  EXPECT_EQ(place("Pair", {"mode"}), "pair.cpp:10:11");
  EXPECT_EQ(place("Pair", {"late"}), "pair.cpp:5:7") << "of another class";
  EXPECT_EQ(place("Made", {}), "pair.cpp:15:1") << "where it is registered";
  EXPECT_EQ(place("Nobody", {}), ":0:0");
}

TEST_F(DefinitionPlace, TakesThePlaceOfThePrototypes) {
  const std::string prototype =
      "[{\"op\": \"Pair\",\n \"problem\": \"output 'y' has 2 types\",\n"
      " \"input_desc\": [{\"name\": \"x\", \"param_type\": \"required\", \"type\": [\"DT_FLOAT\"], "
      "\"format\": [\"ND\"]}],\n \"output_desc\": [{\"name\": \"y\", \"param_type\": \"required\", "
      "\"type\": [\"complex32\"], \"format\": [\"ND\"]}]}]";
  const auto problem = import_msopgen(prototype, "prototype.json");
  ASSERT_FALSE(problem.ok());
  const Error told = about(problem.error(), prototype);
  EXPECT_EQ(shown(told.where), "pair.cpp:9:11");
  EXPECT_EQ(told.message.find("prototype.json"), std::string::npos);
  // A place inside of a port.
  EXPECT_EQ(
      shown(about(Error("OPK-IMPORT-004", "no such type").at({"prototype.json", 3, 40}), prototype)
                .where),
      "pair.cpp:8:11");
  const Error other = about(Error("OPK-IMPORT-002", "no name")
                                .at({"elsewhere.yaml", 3, 1})
                                .with("the contract made of prototype.json:1:2"),
                            prototype);
  EXPECT_EQ(other.where.file, "elsewhere.yaml");
  EXPECT_THAT(other.trail.at(0), testing::EndsWith("pair.cpp:5:7"));
}

}  // namespace
}  // namespace opkit::project
