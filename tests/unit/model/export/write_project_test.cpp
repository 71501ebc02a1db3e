#include "opkit/model/export/write_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/base/file.h"

namespace opkit::model_export {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Returns a program of one call with these operators; x is its input, y its output.
ExportedProgram program_of(std::vector<graph::Node> nodes, DType dtype = DType::kFloat32) {
  ExportedProgram program;
  program.name = "net \"one\"";
  program.inputs = {{"x", "t0"}};
  program.outputs = {{"y", "t9"}};
  program.calls = {{"Fused", "node\n1"}};
  program.values["t0"] = {dtype, Shape{2, 3}, Format::kND, nullptr};
  const graph::RefTensor bound{DType::kFloat32, Shape{3}, {1, 2, 3}};
  program.values["w"] = {DType::kFloat32, Shape{3}, Format::kND,
                         std::make_shared<const graph::RefTensor>(bound)};
  for (graph::Node& node : nodes) {
    node.name = node.op_type + "_node";
    program.operations.push_back({std::move(node), 20, 0});
  }
  return program;
}

std::string source_of(ExportedProgram program) {
  EXPECT_TRUE(complete(program).ok());
  const auto project = project_of(program);
  EXPECT_TRUE(project.ok()) << project.error().to_string();
  return project.ok() ? project->files.at("model.cpp") : "";
}

TEST(Project, HasAFunctionForEachCall) {
  const std::string source = source_of(program_of({{"Mul", {"t0", "w"}, {"a"}, {}, {}},
                                                   {"Flatten", {"a"}, {"b"}, {}, {}},
                                                   {"Relu", {"b"}, {"t9"}, {}, {}}}));
  EXPECT_THAT(source, AllOf(HasSubstr("// Fused: node 1\nvoid call_0("), HasSubstr("binary("),
                            HasSubstr("unary(6,"), HasSubstr("m.weights<float>(0)"),
                            Not(HasSubstr("copy("))));
}

TEST(Project, RoundsWhatTheModelHoldsInShortFloats) {
  ExportedProgram program = program_of({{"Relu", {"t0"}, {"t9"}, {}, {}}}, DType::kFloat16);
  program.rounded["t9"] = DType::kFloat16;
  EXPECT_THAT(source_of(std::move(program)),
              AllOf(HasSubstr("round_float16(6,"), HasSubstr("take_in_float16(6,"),
                    HasSubstr("given_out_float16(6,"), HasSubstr("\"<f2\", {2, 3}")));
}

// Constants are computed when the project is written, and what nobody reads is left out.
TEST(Complete, ComputesConstantsAndLeavesOutTheUnread) {
  ExportedProgram program = program_of({{"Add", {"w", "w"}, {"v"}, {}, {}},
                                        {"Exp", {"t0"}, {"unread"}, {}, {}},
                                        {"Add", {"t0", "v"}, {"t9"}, {}, {}}});
  ASSERT_TRUE(complete(program).ok());
  ASSERT_EQ(program.operations.size(), 1u);
  ASSERT_NE(program.values.at("v").constant, nullptr);
  EXPECT_EQ(program.values.at("v").constant->values, (std::vector<double>{2, 4, 6}));
}

TEST(Complete, RefusesDimsThatDependOnData) {
  ExportedProgram program = program_of({{"NonZero", {"t0"}, {"t9"}, {}, {}}});
  const Status done = complete(program);
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().to_string(), HasSubstr("OPK-EXPORT-001"));
}

TEST(Project, NamesEverythingThatHasNoSourceAtOnce) {
  ExportedProgram program =
      program_of({{"CumSum", {"t0", "zero"}, {"a"}, {}, {}},
                  {"Pad", {"a", "pads"}, {"b"}, {{"mode", std::string("reflect")}}, {}},
                  {"Relu", {"b"}, {"t9"}, {}, {}}});
  const auto constant = [](Shape shape, std::vector<double> values) {
    graph::RefTensor tensor{DType::kInt64, std::move(shape), std::move(values)};
    return graph::ValueInfo{DType::kInt64, tensor.shape, Format::kND,
                            std::make_shared<const graph::RefTensor>(tensor)};
  };
  program.values["zero"] = constant({}, {0});
  program.values["pads"] = constant({4}, {0, 1, 0, 1});
  ASSERT_TRUE(complete(program).ok());
  const auto refused = project_of(program);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(),
              AllOf(HasSubstr("OPK-EXPORT-001"), HasSubstr("CumSum (CumSum_node)"),
                    HasSubstr("Pad (Pad_node): its mode is reflect"), Not(HasSubstr("Relu"))));
}

TEST(WriteProject, LeavesFoldersThatHoldFilesAlone) {
  const fs::path folder = fs::path(testing::TempDir()) / "opkit_export_test";
  fs::remove_all(folder);
  const Project project{{{"a.txt", "a"}, {"b.txt", "b"}}};
  ASSERT_TRUE(write_project(project, folder).ok());
  EXPECT_EQ(*read_file(folder / "b.txt"), "b");
  EXPECT_FALSE(fs::exists(folder.string() + ".unfinished"));
  const Status again = write_project(project, folder);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, "OPK-EXPORT-003");
  fs::remove_all(folder);
  fs::create_directories(folder);
  EXPECT_TRUE(write_project(project, folder).ok());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace opkit::model_export
