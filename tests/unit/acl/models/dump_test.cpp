// What aclmdlSetDump takes; tests/e2e/model_program_test.cpp sees what is dumped.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "opkit/acl/base/error.h"
#include "opkit/acl/models/dump.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class DumpConfig : public ::testing::Test {
 protected:
  DumpConfig()
      : folder_(fs::temp_directory_path() / ("opkit_dump_test_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~DumpConfig() override { fs::remove_all(folder_); }

  // The members behind dump_path.
  aclError read(const std::string& members) {
    return read_text("{\"dump\": {\"dump_path\": \"" + folder_.string() + "\"" + members + "}}");
  }
  aclError read_text(const std::string& text) {
    const fs::path file = folder_ / "acl.json";
    std::ofstream(file) << text;
    return read_dump_config(file.c_str(), session_);
  }
  fs::path folder_;
  std::shared_ptr<DumpSession> session_;
};

constexpr const char* kList = ", \"dump_list\": [{\"model_name\": \"net\"}]";

TEST_F(DumpConfig, HasTheVendorsMembers) {
  ASSERT_EQ(
      read(", \"dump_mode\": \"all\", \"dump_op_switch\": \"off\", \"dump_data\": \"tensor\", "
           "\"dump_level\": \"op\", \"dump_list\": [{\"model_name\": \"net\"}, {\"layer\": "
           "[\"conv1\", \"pool1\"]}]"),
      ACL_SUCCESS)
      << said();
  EXPECT_EQ(session_->folder.parent_path(), folder_);
  EXPECT_EQ(session_->folder.filename().string().size(), 14u) << "the time";
  EXPECT_TRUE(session_->inputs && session_->outputs);
  ASSERT_EQ(session_->targets.size(), 2u);
  EXPECT_EQ(session_->targets[0].model, "net");
  EXPECT_TRUE(session_->targets[0].layers.empty());
  EXPECT_THAT(session_->targets[1].layers, ElementsAre("conv1", "pool1"));
  ASSERT_EQ(read(kList), ACL_SUCCESS);
  EXPECT_TRUE(!session_->inputs && session_->outputs) << "outputs alone";
}

TEST_F(DumpConfig, IsRefusedByNameWhereItCannotBeDone) {
  const std::pair<const char*, const char*> wrong[] = {
      {", \"dump_mode\": \"both\", \"dump_list\": [{\"model_name\": \"net\"}]",
       "dump_mode is 'both'"},
      {", \"dump_op_switch\": \"on\"", "dump_op_switch is 'on'"},
      {", \"dump_data\": \"stats\"", "dump_data is 'stats'"},
      {", \"dump_level\": \"kernel\"", "write op or all"},
      {", \"dump_debug\": \"on\"", "dump_debug is 'on'"},
      {", \"dump_step\": \"0-5\"", "dump_step"},
      {", \"dump_list\": []", "at least one model or layer"},
      {", \"dump_list\": [{}]", "its model_name or layer"},
      {", \"dump_list\": [{\"model\": \"net\"}]", "model_name"},
      {", \"dump_list\": [{\"layer\": [[1]]}]", "layer"},
      {", \"dump_list\": [{\"layer\": \"conv1\"}]", "layer"}};
  for (const auto& [members, text] : wrong) {
    EXPECT_EQ(read(members), ACL_ERROR_INVALID_DUMP_CONFIG) << members;
    EXPECT_THAT(said(), HasSubstr(text));
    EXPECT_EQ(session_, nullptr) << "nothing is left of it";
  }
  EXPECT_EQ(read_text("{\"dump\": {\"dump_path\": \"/nowhere/x\"}}"),
            ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_THAT(said(), HasSubstr("OPK-ACL-001"));
  EXPECT_EQ(read_text("{\"profiler\": {}}"), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(read_text("{\"dump\""), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(read_dump_config("/nowhere/acl.json", session_), ACL_ERROR_INVALID_FILE);
}

TEST_F(DumpConfig, ComesBetweenInitAndFinalize) {
  EXPECT_EQ(aclmdlSetDump("x.json"), ACL_ERROR_DUMP_NOT_RUN);
  EXPECT_THAT(said(), HasSubstr("call aclmdlInitDump first"));
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
  ASSERT_EQ(aclmdlInitDump(), ACL_SUCCESS);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclmdlSetDump(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_SUCCESS);
}

}  // namespace
}  // namespace opkit::acl
