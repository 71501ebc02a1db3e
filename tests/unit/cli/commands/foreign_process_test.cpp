#include "opkit/cli/commands/foreign_process.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opkit/base/file.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

using namespace std::string_view_literals;

TEST(ForeignProcess, KeepsTheVariablesOfTheToolkit) {
  const auto all = own_variables(
      "HOME=/root\0ASCEND_OPP_PATH=/a=b\0OPKIT_SOC=Ascend310P3\0ASCEND_BROKEN\0PATH=/bin"sv);
  EXPECT_EQ(all, (std::map<std::string, std::string>{{"ASCEND_OPP_PATH", "/a=b"},
                                                     {"OPKIT_SOC", "Ascend310P3"}}));
  EXPECT_THAT(own_variables(""), IsEmpty());
}

TEST(ForeignProcess, ReadsMapsLineByLine) {
  const auto files = mapped_files(
      "55d0a-55d0b r--p 00000000 08:01 42                         /usr/bin/program\n"
      "55d0b-55d0c r-xp 00001000 08:01 42                         /usr/bin/program\n"
      "7f000-7f001 rw-p 00000000 00:00 0 \n"
      "7f001-7f002 rw-p 00000000 00:00 0                          [heap]\n"
      "7f002-7f003 r-xp 00000000 08:01 7      /opp/a b/op_impl/libx.so (deleted)\n"
      "odd\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0], (MappedFile{"/usr/bin/program", 42, false}));
  EXPECT_EQ(files[1], (MappedFile{"/opp/a b/op_impl/libx.so", 7, true}));
}

TEST(ForeignProcess, LooksAtAProcess) {
  const auto mine = ForeignProcess::look(::getpid());
  ASSERT_TRUE(mine.ok()) << mine.error().to_string();
  EXPECT_EQ(mine->program, fs::read_symlink("/proc/self/exe"));
  EXPECT_EQ(mine->folder, fs::current_path());
  EXPECT_THAT(mine->files, Contains(Field(&MappedFile::path, mine->program)));
}

TEST(ForeignProcess, SaysThatThereIsNone) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const auto none = ForeignProcess::look(child);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-ENV-005");
  EXPECT_EQ(none.error().message,
            "process " + std::to_string(child) + " cannot be looked at: there is none");
  EXPECT_THAT(none.error().action, HasSubstr("as the user who runs it"));
}

class Explained : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "opp");
    process_.folder = folder_;
  }
  fs::path file(const std::string& name) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(write_file(path, "bytes").ok());
    return path;
  }
  void map(const fs::path& path) {
    struct stat facts = {};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    process_.files.push_back({path, facts.st_ino});
  }
  CheckupItem check(const std::string& name) const {
    for (const CheckupItem& each : check_process(process_))
      if (each.name == name) return each;
    ADD_FAILURE() << "no check " << name;
    return {};
  }
  void expect(const std::string& name, Health health, const std::string& finding) const {
    const CheckupItem found = check(name);
    EXPECT_EQ(found.health, health) << found.finding;
    EXPECT_THAT(found.finding, HasSubstr(finding));
    EXPECT_EQ(found.advice.empty(), health == Health::kGood) << found.advice;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("opkit_foreign_process" + std::to_string(::getpid()));
  ForeignProcess process_{4711, "/usr/bin/program", {}, {}, {}};
};

TEST_F(Explained, WithoutAnEnvironment) {
  expect("process", Health::kGood, "4711, /usr/bin/program in " + folder_.string());
  expect("environment script", Health::kWarning, "no set_env.sh was sourced");
  expect("variables", Health::kGood, "no ASCEND_* or OPKIT_* when it began");
  expect("its OPP folder", Health::kGood, "opp (default ./opp of its folder)");
  expect("runtime", Health::kGood, "no shared one of opkit");
  expect("plugin", Health::kGood, "none is loaded");
}

TEST_F(Explained, ByItsVariables) {
  process_.variables = {{"ASCEND_HOME_PATH", folder_}, {"ASCEND_OPP_PATH", "elsewhere"}};
  expect("environment script", Health::kGood, "sourced, of " + folder_.string());
  expect("variables", Health::kGood, "ASCEND_OPP_PATH=elsewhere (when it began)");
  expect("its OPP folder", Health::kWarning,
         (folder_ / "elsewhere").string() + " (ASCEND_OPP_PATH) does not exist");
  process_.variables["ASCEND_HOME_PATH"] = "/nowhere";
  expect("environment script", Health::kWarning, "ASCEND_HOME_PATH=/nowhere does not exist");
}

TEST_F(Explained, ByItsRuntime) {
  map(file("lib64/libascendcl.so"));
  expect("runtime", Health::kWarning, "libascendcl.so is not opkit's");
  const fs::path own = file("lib/libopkit_acl.so");
  map(own);
  expect("runtime", Health::kGood, "opkit's: " + own.string());
  process_.files.back().inode += 1;
  expect("runtime", Health::kWarning, "loaded, and replaced since: " + own.string());
}

TEST_F(Explained, ByItsPlugins) {
  const fs::path library = file("opp/vendors/acme/op_pkg/AddRelu/1.0.0/op_impl/libadd_relu.so");
  map(library);
  expect("plugin", Health::kWarning, library.string() + ", and nothing serves AddRelu now: ");
  EXPECT_THAT(check("plugin").advice, HasSubstr("opkit why AddRelu"));
  process_.files.back().removed = true;
  expect("plugin", Health::kWarning, "was removed or replaced since it was loaded");
}

TEST_F(Explained, InstallersThatLeftSomething) {
  const auto installers = [&] {
    const registry::Registry registry(registry::make_search_path(folder_ / "opp", {}), {});
    for (const CheckupItem& each : check_opp(registry))
      if (each.name == "installers") return each;
    return CheckupItem{};
  };
  EXPECT_EQ(installers().finding, "none has left anything unfinished");
  file("opp/.opkit/lock");
  const fs::path pending = file("opp/.opkit/pending");
  EXPECT_EQ(installers().health, Health::kBad);
  EXPECT_THAT(installers().finding, HasSubstr("is damaged"));
  const std::string text = "opkit pending 1\nvendor acme\nop AddRelu\nversion 1.0.0\ndirectory ";
  ASSERT_TRUE(write_file(pending, text + "arrives\norder first\nowner -\ninode 1\n").ok());
  EXPECT_EQ(installers().health, Health::kWarning);
  EXPECT_EQ(installers().finding,
            "one was interrupted: AddRelu 1.0.0 of acme arrives, which has not happened yet: the "
            "OPP is that of before");
  EXPECT_THAT(installers().advice, HasSubstr("the next opkit install"));
  ASSERT_TRUE(write_file(pending, text + "leaves\norder out\nowner -\ninode 1\n").ok());
  EXPECT_EQ(installers().finding,
            "one was interrupted: AddRelu 1.0.0 of acme leaves, which counts as done");
}

}  // namespace
}  // namespace opkit::cli
