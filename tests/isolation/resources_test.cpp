// The table of docs/isolation.md: what a command answers where the machine, ulimit, a control group
// or somebody outside gives too little. No plugin is blamed for that.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRun = "\"$OPKIT\" run \"$PACKAGE\" --shape x=8 --shape y=8";

class Resources : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    variables_["OPKIT"] = opkit_binary();
    variables_["PACKAGE"] = OPKIT_HOSTILE_PACKAGE;
  }

  Shown shell(const std::string& script) {
    const Shown shown = run_program({"bash", "-c", script}, folder_, variables_);
    transcript_ += "$ " + script + "\n" + shown.out + shown.err + "[exit code " +
                   std::to_string(shown.exit_code) + "]\n\n";
    return shown;
  }
  // In name spaces of its own, where mounts are nobody else's.
  Shown apart(const std::string& script) {
    variables_["SCRIPT"] = script;
    return shell("exec unshare -m bash -c 'mount --make-rprivate / && eval \"$SCRIPT\"'");
  }
  bool can_mount() { return apart("mount -t tmpfs none /mnt").exit_code == 0; }

  // Neither FAILED nor a defect; the limit has its name.
  void expect_lack(const Shown& shown, const std::string& limit) {
    EXPECT_EQ(shown.exit_code, 3);
    EXPECT_THAT(shown.out + shown.err, HasSubstr(limit));
    EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("FAILED")));
  }
  void expect_well(const Shown& shown) { EXPECT_EQ(shown.exit_code, 0) << shown.err; }
};

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map terabytes

TEST_F(Resources, AnAddressSpaceOfGigabytesIsEnough) {
  for (const char* kilobytes : {"8000000", "2000000"})
    expect_well(shell(std::string("ulimit -v ") + kilobytes + "; exec " + kRun));
}

// Arenas grow with what calls need.
TEST_F(Resources, LargeTensorsFitIntoALimitedAddressSpace) {
  const Shown shown = shell(
      "ulimit -v 4000000; exec \"$OPKIT\" run \"$PACKAGE\" --shape x=20000000 --shape y=20000000");
  expect_well(shown);
  const Shown too_large = shell(
      "ulimit -v 1500000; exec \"$OPKIT\" run \"$PACKAGE\" --shape x=200000000 --shape "
      "y=200000000");
  expect_lack(too_large, "ulimit -v is 1500000");
}

// From what opkit itself needs to begin, which its size decides, to what a worker needs beside it.
TEST_F(Resources, TooSmallAnAddressSpaceIsNamed) {
  const auto begins = [&](int kilobytes) {
    return shell("ulimit -v " + std::to_string(kilobytes) + "; exec \"$OPKIT\" version")
               .exit_code == 0;
  };
  int too_small = 4000, least = 2000000;
  ASSERT_TRUE(begins(least));
  while (least - too_small > 1000) {
    const int middle = (least + too_small) / 2;
    (begins(middle) ? least : too_small) = middle;
  }
  int lacks = 0;
  for (int kilobytes = least + 2000; kilobytes < 2 * least + 400000; kilobytes += 2000, ++lacks) {
    const std::string limit = std::to_string(kilobytes);
    const Shown shown = shell("ulimit -v " + limit + "; exec " + kRun);
    if (shown.exit_code == 0) break;
    expect_lack(shown, "ulimit -v is " + limit);
  }
  EXPECT_GT(lacks, 0) << "a worker needs more than opkit itself";
}

#endif

TEST_F(Resources, AFileSizeThatHoldsTheTensorsIsEnough) {
  expect_well(shell(std::string("ulimit -f 100000; exec ") + kRun));
}

TEST_F(Resources, TooSmallAFileSizeIsNamedAndKillsNobody) {
  // The output goes to a file, unless a pipe takes it.
  for (const std::string limit : {"0", "1", "8"})
    expect_lack(
        shell("set -o pipefail; (ulimit -f " + limit + "; exec " + kRun + ") 2>&1 | /bin/cat"),
        "ulimit -f is " + limit);
  const Shown install =
      shell("ulimit -f 8; exec \"$OPKIT\" install \"$PACKAGE\" --opp opp --no-probe");
  expect_lack(install, "ulimit -f is 8");
}

TEST_F(Resources, TooFewDescriptorsAreNamed) {
  expect_lack(shell(std::string("ulimit -n 8; exec ") + kRun), "ulimit -n is 8");
}

TEST_F(Resources, ProcessorTimeThatIsUpIsNamed) {
  variables_["OPKIT_HOSTILE"] = "tile:loop";
  expect_lack(shell(std::string("ulimit -t 3; exec ") + kRun + " --time-limit 600"),
              "ulimit -t is 3");
}

TEST_F(Resources, AWorkingFolderThatIsGoneIsTold) {
  for (const char* words : {"list", "version", "run x.yaml"}) {
    const Shown shown =
        shell(std::string("mkdir gone; cd gone; rmdir ../gone; exec \"$OPKIT\" ") + words);
    expect_lack(shown, "OPK-ENV-006");
  }
  EXPECT_EQ(shell("mkdir gone; cd gone; rmdir ../gone; exec \"$OPKIT\" --help").exit_code, 0);
}

// As another user: the superuser may start as many as there are.
TEST_F(Resources, TooFewProcessesAreNamedAndCountForNoQuarantine) {
  if (::getuid() != 0) GTEST_SKIP() << "only the superuser can become a user without processes";
  if (shell("setpriv --reuid=54321 --clear-groups prlimit --nproc=5 true").exit_code != 0)
    GTEST_SKIP() << "setpriv or prlimit is not there";
  std::filesystem::permissions(folder_, std::filesystem::perms::all);
  const std::string as_user = "setpriv --reuid=54321 --clear-groups prlimit --nproc=";
  if (shell(as_user + "100 \"$OPKIT\" version").exit_code != 0)
    GTEST_SKIP() << "another user cannot run this opkit";
  for (int again = 0; again < 3; ++again)
    expect_lack(shell(as_user + "1 " + kRun), "ulimit -u is 1");
  // One for the command, one for the worker, and no more threads: slower, and right.
  expect_well(shell(as_user + "2 " + kRun));
  variables_["OPKIT_HOSTILE"] = "kernel:threads";
  for (int again = 0; again < 3; ++again)
    expect_lack(shell(as_user + "20 " + kRun), "ulimit -u is 20");
  variables_.erase("OPKIT_HOSTILE");
  expect_well(shell(as_user + "100 " + kRun));
}

// As the kernel does when memory runs out.
TEST_F(Resources, SignalsFromOutsideAreNotThePlugins) {
  ASSERT_EQ(opkit({"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp"}).exit_code, 0);
  const std::string end_its_worker =
      " & host=$!; for i in $(seq 200); do sleep 0.05; "
      "worker=$(cat /proc/$host/task/$host/children 2>/dev/null); "
      "[ -n \"$worker\" ] && sleep 1 && kill -$SIGNAL $worker && break; done; wait $host";
  if (shell("cat /proc/self/task/$$/children").exit_code != 0)
    GTEST_SKIP() << "this kernel does not list children";
  const std::string run = "\"$OPKIT\" run Hostile --opp opp --shape x=8 --shape y=8";
  const std::string test =
      "\"$OPKIT\" test Hostile --opp opp --d S=1000 --data uniform --soc Ascend910B1";
  for (const char* signal : {"KILL", "TERM"}) {
    variables_["SIGNAL"] = signal;
    variables_["OPKIT_HOSTILE"] = "kernel:sleep";
    for (const std::string& words : {run, run, run, test})
      expect_lack(shell(words + " --time-limit 60" + end_its_worker), std::string("SIG") + signal);
    variables_.erase("OPKIT_HOSTILE");
    expect_well(shell(run));
  }
  EXPECT_THAT(opkit({"why", "Hostile", "--opp", "opp"}).out, Not(HasSubstr("quarantine")));
}

TEST_F(Resources, WithoutProcItWorksAndSaysSo) {
  if (!can_mount()) GTEST_SKIP() << "this user may not mount";
  const Shown shown = apart(std::string("mount -t tmpfs none /proc && exec ") + kRun);
  expect_well(shown);
  EXPECT_THAT(shown.err, HasSubstr("/proc (the plugin's memory is not watched)"));
  expect_well(apart("mount -t tmpfs none /proc && exec \"$OPKIT\" install \"$PACKAGE\" --opp o"));
}

// A disk that is full takes no package, and lets them go.
TEST_F(Resources, OnAFullDiskPackagesCanBeRemovedAndRolledBack) {
  if (!can_mount()) GTEST_SKIP() << "this user may not mount";
  const std::string full =
      "mkdir -p d && mount -t tmpfs -o size=16m none d && \"$OPKIT\" install \"$PACKAGE\" --opp "
      "d/o "
      ">/dev/null || exit 9; dd if=/dev/zero of=d/fill bs=4096 >/dev/null 2>&1; "
      "dd if=/dev/zero of=d/last bs=1 >/dev/null 2>&1; ";
  expect_well(apart(full + "exec \"$OPKIT\" uninstall Hostile --opp d/o"));
  const Shown twice = apart(full +
                            "\"$OPKIT\" uninstall Hostile --opp d/o && rm d/fill && "
                            "exec \"$OPKIT\" install \"$PACKAGE\" --opp d/o");
  expect_well(twice);
  const Shown refused = apart(full + "exec \"$OPKIT\" install \"$PACKAGE\" --opp d/other");
  expect_lack(refused, "No space left on device");
}

TEST_F(Resources, MemoryIsThatOfTheControlGroup) {
  variables_["MIB"] = "300";
  const std::string enter =
      "for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do g=$top/opkit_test_$$; "
      "mkdir $g 2>/dev/null || continue; "
      "for f in memory.limit_in_bytes memory.max; do "
      "[ -w $g/$f ] && echo $((MIB << 20)) > $g/$f && echo $$ > $g/cgroup.procs && break 2; "
      "done; rmdir $g; done; ";
  if (shell(enter + "grep -q opkit_test /proc/self/cgroup").exit_code != 0)
    GTEST_SKIP() << "this user may not make control groups";
  const Shown checks = shell(enter + "exec \"$OPKIT\" doctor --json");
  EXPECT_THAT(checks.out, HasSubstr("allows 300 MiB"));
  expect_well(shell(enter + "exec " + kRun));
  const Shown large =
      shell(enter + "exec \"$OPKIT\" run \"$PACKAGE\" --shape x=60000000 --shape y=60000000");
  expect_lack(large, "allows 300 MiB");
  shell("rmdir /sys/fs/cgroup/memory/opkit_test_* /sys/fs/cgroup/opkit_test_*");
}

TEST_F(Resources, LinksAndFifosOfAnOppAreNotFollowed) {
  ASSERT_EQ(opkit({"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp"}).exit_code, 0);
  const Shown fifo = shell(
      "mkfifo opkit.lock; exec timeout 20 \"$OPKIT\" run Hostile --opp opp "
      "--locked --shape x=8 --shape y=8");
  EXPECT_THAT(fifo.err, HasSubstr("is a FIFO"));
  EXPECT_EQ(fifo.exit_code, 3);
  EXPECT_EQ(shell("exec timeout 20 \"$OPKIT\" lock --opp opp").exit_code, 3);
  for (const char* part : {".opkit", "vendors/config.ini"}) {
    variables_["PART"] = part;
    ASSERT_EQ(shell("mkdir -p away; cp -a opp/$PART away/; rm -r opp/$PART; "
                    "ln -s $PWD/away/$(basename $PART) opp/$PART; ls -lR away > before")
                  .exit_code,
              0);
    const Shown refused = opkit({"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp", "--force"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("OPK-PKG-013"));
    EXPECT_NE(opkit({"uninstall", "Hostile", "--opp", "opp"}).exit_code, 0);
    expect_well(shell("ls -lR away | diff before -"));
    ASSERT_EQ(shell("rm opp/$PART; cp -a away/$(basename $PART) opp/$PART").exit_code, 0);
  }
}

}  // namespace
}  // namespace opkit::e2e
