// Commands that need no built op: new, build's refusals, install's refusals, contract, doctor.
#include <fstream>

#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kAddRelu = OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_contract.yaml";

class Commands : public OpkitTest {};

TEST_F(Commands, NewReplacesEveryName) {
  const nlohmann::json made = opkit_json({"new", "GruCell2", "--vendor", "acme", "--dir", "ops"});
  EXPECT_EQ(made["op"], "GruCell2");
  for (const auto& file : made["files"]) {
    const std::string text = read("ops/gru_cell2/" + file.get<std::string>());
    EXPECT_THAT(file.get<std::string>(), Not(HasSubstr("@")));
    EXPECT_THAT(text,
                AllOf(Not(HasSubstr("@OP")), Not(HasSubstr("@op")), Not(HasSubstr("@VENDOR"))))
        << file;
  }
  EXPECT_THAT(read("ops/gru_cell2/CMakeLists.txt"), HasSubstr("acme"));
  EXPECT_EQ(opkit({"contract", "check", "ops/gru_cell2"}).exit_code, 0);
}

TEST_F(Commands, NewRefusesBadNamesWithASuggestion) {
  const Shown snake = opkit({"new", "my_fused"});
  EXPECT_EQ(snake.exit_code, 2);
  EXPECT_THAT(snake.err, AllOf(HasSubstr("OPK-NEW-001"), HasSubstr("try: opkit new MyFused")));
  EXPECT_THAT(opkit({"new", "3D"}).err, HasSubstr("try: opkit new Op3D"));
  EXPECT_THAT(opkit({"new", "../x"}).err, HasSubstr("OPK-NEW-001"));
  EXPECT_THAT(opkit({"new", "Double"}).err, HasSubstr("try: opkit new DoubleCustom"));
  EXPECT_THAT(opkit({"new", "A", "--vendor", "a/b"}).err, HasSubstr("OPK-NEW-001"));
}

TEST_F(Commands, NewRefusesUnknownTemplatesAndExistingFolders) {
  EXPECT_THAT(opkit({"new", "A", "--template", "elementwize"}).err,
              AllOf(HasSubstr("OPK-NEW-002"), HasSubstr("try: --template elementwise")));
  EXPECT_THAT(opkit({"new", "--list"}).out, HasSubstr("elementwise  z = relu(alpha * x + y)"));
  write("my_fused/notes", "mine");
  const Shown again = opkit({"new", "MyFused"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("OPK-NEW-003"));
  EXPECT_EQ(read("my_fused/notes"), "mine");
}

TEST_F(Commands, NewLeavesNothingBehindWhereItCannotWrite) {
  write("file", "");
  const Shown shown = opkit({"new", "MyFused", "--dir", "file"});
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, HasSubstr("OPK-NEW-004"));
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("opkit-new")));
  }
}

TEST_F(Commands, BuildWantsAProject) {
  const Shown shown = opkit({"build", "."});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-BUILD-001"), HasSubstr("opkit new")));
}

TEST_F(Commands, BuildNamesAMissingTool) {
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  variables_["PATH"] = path("nowhere").string();
  const Shown shown = opkit({"build", "my_fused"});
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-ENV-003"), HasSubstr("cmake")));
  const nlohmann::json doctor = opkit_json({"doctor"}, 3);
  EXPECT_EQ(doctor["ok"], false);
  EXPECT_EQ(doctor["checks"][0]["state"], "bad");
}

TEST_F(Commands, BuildShowsWhatCmakeSays) {
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  edit("my_fused/CMakeLists.txt", "opkit_add_op", "opkit_ad_op");
  const Shown shown = opkit({"build", "my_fused"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-BUILD-003"), HasSubstr("CMakeLists.txt:5"),
                               HasSubstr("opkit_ad_op")));
}

TEST_F(Commands, BuildSaysWhenNoPackageWasMade) {
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  edit("my_fused/CMakeLists.txt", "opkit_add_op", "message(STATUS) # ");
  EXPECT_THAT(opkit({"build", "my_fused"}).err, HasSubstr("OPK-BUILD-007"));
  write("file", "");
  const Shown shown = opkit({"build", "my_fused", "--build-dir", "file/build"});
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, HasSubstr("OPK-ENV-004"));
}

TEST_F(Commands, AnExecutableWithoutItsSdkSaysSo) {
  fs::create_directories(path("alone/bin"));
  fs::copy(opkit_binary(), path("alone/bin/opkit"));
  const Shown shown =
      run_program({path("alone/bin/opkit").string(), "new", "MyFused"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, HasSubstr("OPK-ENV-001"));
}

TEST_F(Commands, InstallSaysWhatIsNotThere) {
  EXPECT_THAT(opkit({"install", "nothing"}).err, HasSubstr("OPK-FILE-001"));
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  EXPECT_THAT(opkit({"install", "my_fused"}).err,
              AllOf(HasSubstr("OPK-BUILD-005"), HasSubstr("try: opkit build my_fused")));
  EXPECT_THAT(opkit({"why", "Nothing"}).out, HasSubstr("OPK-REG-001"));
  EXPECT_THAT(opkit({"run", "Nothing"}).err, HasSubstr("OPK-REG-001"));
  EXPECT_THAT(opkit({"uninstall", "Nothing"}).err, HasSubstr("OPK-INSTALL-006"));
}

TEST_F(Commands, DoctorFindsNothingWrongHere) {
  const nlohmann::json report = opkit_json({"doctor"});
  EXPECT_EQ(report["ok"], true);
  for (const auto& check : report["checks"]) EXPECT_NE(check["state"], "bad") << check;
  variables_["ASCEND_CUSTOM_OPP_PATH"] = path("gone").string();
  EXPECT_THAT(opkit({"doctor"}).out, AllOf(HasSubstr("gone, does not exist"),
                                           HasSubstr("each entry is a vendor's folder")));
  fs::create_directories(path("high/vendors/acme/op_pkg"));
  for (const char* entry : {"high", "high/vendors"}) {
    variables_["ASCEND_CUSTOM_OPP_PATH"] = path(entry).string();
    EXPECT_THAT(opkit({"doctor"}).out,
                AllOf(HasSubstr("too high"), HasSubstr("high/vendors/acme in its place")));
  }
}

TEST_F(Commands, CodesAreExplained) {
  EXPECT_THAT(opkit({"explain", "EK1103"}).out,
              AllOf(HasSubstr("EK1103"), HasSubstr("cure: EnQue a tensor first")));
  EXPECT_EQ(opkit_json({"explain", "EK1103"})["code"], "EK1103");
  EXPECT_THAT(opkit({"explain", "MISTRUSTED"}).out, HasSubstr("OPK-VERIFY-024"));
  EXPECT_GT(opkit_json({"explain", "--list"})["codes"].size(), 100u);
  EXPECT_THAT(opkit({"explain", "507015"}).out,
              AllOf(HasSubstr("ACL_ERROR_RT_AICORE_EXCEPTION"), HasSubstr("OPKIT_MODE=checked")));
  EXPECT_EQ(opkit_json({"explain", "ACL_ERROR_RT_CONTEXT_NULL"})["code"], "107002");
  EXPECT_EQ(opkit_json({"explain", "561103"})["name"], "ACLNN_ERR_INNER_NULLPTR");
  EXPECT_EQ(opkit_json({"explain", "561107"})["name"], "ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND");
  const Shown number = opkit({"explain", "507099"});
  EXPECT_EQ(number.exit_code, 2);
  EXPECT_THAT(number.err,
              AllOf(HasSubstr("OPK-CLI-040"), HasSubstr("no call of the runtime returns"),
                    Not(HasSubstr("opkit explain 5")), Not(HasSubstr("EK"))));
  const Shown wrong = opkit({"explain", "EK11033"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-CLI-040"), HasSubstr("try: opkit explain EK1103")));
  EXPECT_THAT(opkit({"explain"}).err, HasSubstr("OPK-CLI-003"));
}

TEST_F(Commands, ContractsAreCheckedExplainedAndCompared) {
  EXPECT_EQ(opkit({"contract", "check", kAddRelu}).exit_code, 0);
  EXPECT_THAT(opkit({"contract", "explain", kAddRelu}).out, HasSubstr("AddRelu"));
  EXPECT_EQ(opkit_json({"contract", "schema"})["type"], "object");
  write("changed.yaml", text_of(kAddRelu));
  edit("changed.yaml", "[float16, float32, bfloat16]", "[float16, float32]");
  const Shown diff = opkit({"contract", "diff", kAddRelu, "changed.yaml"});
  EXPECT_EQ(diff.exit_code, 1);
  EXPECT_THAT(diff.out, HasSubstr("major"));
  EXPECT_EQ(opkit({"contract", "diff", kAddRelu, kAddRelu}).exit_code, 0);
}

TEST_F(Commands, ContractErrorsHaveAPlace) {
  write("bad.yaml", text_of(kAddRelu));
  edit("bad.yaml", "op: Relu", "op: Rleu");
  const Shown shown = opkit({"contract", "check", "bad.yaml"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("bad.yaml:17:"), HasSubstr("Relu")));
  EXPECT_FALSE(opkit_json({"contract", "check", "bad.yaml"}, 1).empty());
  EXPECT_EQ(opkit({"contract", "check", "none.yaml"}).exit_code, 3);
}

TEST_F(Commands, PrototypesAreImported) {
  write("proto.json",
        R"([{"op": "AddCustom", "language": "cpp",
             "input_desc": [{"name": "x", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
             "output_desc": [{"name": "z", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}]}])");
  const Shown shown = opkit({"contract", "import", "proto.json", "--dir", "ops"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.err, HasSubstr("note OPK-CLI-014: AddCustom: "));
  EXPECT_EQ(opkit({"contract", "check", "ops/add_custom"}).exit_code, 0);
  EXPECT_THAT(opkit({"contract", "import", "proto.json", "--dir", "ops"}).err,
              HasSubstr("OPK-NEW-003"));
}

// Three launches to warm up and fifty that count, unless told otherwise.
TEST_F(Commands, BenchSaysHowOftenItMeasures) {
  const std::string help = opkit({"bench", "--help"}).out;
  EXPECT_THAT(help, testing::ContainsRegex("--warm N +launches before those that count \\[3\\]"));
  EXPECT_THAT(help, testing::ContainsRegex("--samples N +launches that count \\[50\\]"));
}

TEST_F(Commands, MemoryPlacesAndJudges) {
  write("buffers.csv", "id,lower,upper,size\na,0,2,700\nb,1,3,300\nc,2,4,700\n");
  const auto placed = opkit_json({"memory", "buffers.csv", "--output", "plan.csv"});
  EXPECT_EQ(placed["total"], 1024 + 512);
  EXPECT_EQ(placed["bound"], 1024 + 512);
  EXPECT_THAT(opkit({"memory", "plan.csv"}).out,
              AllOf(HasSubstr("3 buffers in 1536 bytes"), HasSubstr("(table)")));
  EXPECT_EQ(opkit_json({"memory", "buffers.csv", "--alignment", "1"})["total"], 1000);
  const Shown narrow = opkit({"memory", "buffers.csv", "--alignment", "1", "--capacity", "999"});
  EXPECT_EQ(narrow.exit_code, 1);
  EXPECT_THAT(narrow.out, HasSubstr("that is more than 999"));
  write("wrong.csv", "id,lower,upper,size,offset\na,0,2,700,0\nb,1,3,300,512\n");
  EXPECT_THAT(opkit({"memory", "wrong.csv"}).err,
              AllOf(HasSubstr("OPK-MEMORY-001"), HasSubstr("buffers a and b share bytes at 512"),
                    HasSubstr("try: move them apart")));
  write("text.csv", "id,lower,upper,size\na,0,many,700\n");
  EXPECT_THAT(opkit({"memory", "text.csv"}).err,
              AllOf(HasSubstr("text.csv:2:5"), HasSubstr("OPK-MEMORY-002")));
  EXPECT_EQ(opkit({"memory", "none.csv"}).exit_code, 3);
}

TEST_F(Commands, InferNeedsNoPlugin) {
  const Shown shown = opkit(
      {"infer", kAddRelu, "--shape", "x=32x128", "--shape", "y=32,128", "--dtype", "float16"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("[32, 128]"));
  EXPECT_THAT(shown.err, IsEmpty());
}

TEST_F(Commands, InferSuggestsANearDtype) {
  const Shown shown =
      opkit({"infer", kAddRelu, "--shape", "x=4", "--shape", "y=4", "--dtype", "flaot16"});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_THAT(shown.err, HasSubstr("OPK-CLI-008"));
  EXPECT_THAT(shown.err, HasSubstr("--dtype float16"));
}

}  // namespace
}  // namespace opkit::e2e
