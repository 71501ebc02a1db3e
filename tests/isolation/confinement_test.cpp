// Hosts that cannot start or confine workers: said, not passed over.
#include <errno.h>
#include <gmock/gmock.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class Confinement : public OpkitTest {
 protected:
  const std::vector<std::string> call_ = {"run", OPKIT_HOSTILE_PACKAGE, "--shape", "x=8", "--shape",
                                          "y=8"};
};

TEST_F(Confinement, WithoutTheWorkersProgramNothingRuns) {
  variables_["OPKIT_WORKER"] = (folder_ / "nowhere").string();
  const Shown shown = opkit(call_);
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, HasSubstr("OPK-WORKER-001"));
  EXPECT_THAT(shown.err, HasSubstr("nowhere"));
}

// A worker that never comes to the plugin: its program is named, and the plugin is not counted out.
TEST_F(Confinement, AWorkerThatDoesNotStartIsNotThePluginsFault) {
  write("code_127", "#!/bin/sh\nexit 127\n");
  write("killed", "#!/bin/sh\nkill -KILL $$\n");
  for (const char* script : {"code_127", "killed"})
    std::filesystem::permissions(path(script), std::filesystem::perms::owner_all);
  ASSERT_EQ(opkit({"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp"}).exit_code, 0);
  const std::vector<std::string> run = {"run",     "Hostile", "--opp",   "opp",
                                        "--shape", "x=8",     "--shape", "y=8"};
  for (const std::string& program : {std::string("/bin/true"), std::string("/bin/cat"),
                                     path("code_127").string(), path("killed").string()}) {
    variables_["OPKIT_WORKER"] = program;
    const Shown shown = opkit(run);
    EXPECT_EQ(shown.exit_code, 3);
    EXPECT_THAT(shown.err, HasSubstr("OPK-WORKER-001"));
    EXPECT_THAT(shown.err, HasSubstr(program));
  }
  variables_.erase("OPKIT_WORKER");
  EXPECT_EQ(opkit(run).exit_code, 0);
}

// A kernel without Landlock, as far as a process can tell.
TEST_F(Confinement, WhatTheKernelLacksIsSaid) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    const bool loaded = seccomp_load(filter) == 0;
    const std::vector<std::string> install = {"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp"};
    const std::vector<std::string> inspect = {"inspect", OPKIT_HOSTILE_PACKAGE};
    for (const auto& words : {call_, install, inspect}) {
      const Shown shown = opkit(words);
      const bool said = shown.err.find("OPK-WORKER-011") != std::string::npos &&
                        shown.err.find("Landlock") != std::string::npos;
      if (!loaded || shown.exit_code != 0 || !said) _exit(1);
    }
    const auto report = opkit_json(call_), checks = opkit_json({"doctor"});
    const bool told = report["confinement"]["complete"] == false &&
                      report["confinement"]["lacks"].dump().find("Landlock") != std::string::npos &&
                      checks.dump().find("Landlock (") != std::string::npos;
    _exit(told ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(Confinement, WhatAPluginPrintsIsNoMoreThanText) {
  variables_["OPKIT_HOSTILE"] = "kernel:colours";
  const Shown shown = opkit(call_);
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.err.find('\033'), std::string::npos);
  EXPECT_THAT(shown.err, HasSubstr("\\x1b[2J\\x1b]0;mine\\x07 all is well\n"));
}

}  // namespace
}  // namespace opkit::e2e
