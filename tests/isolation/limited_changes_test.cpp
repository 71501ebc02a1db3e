// The second table of docs/isolation.md: what an installation, a rollback, an uninstallation and a
// change of trust answer where something is short. Each is made, or refused with the limit's name
// and the OPP as it was, and can be made when the limit is gone.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// A command on the OPP `opp`, which holds versions 1.0.0 and 1.1.0 of Hostile.
struct Change {
  const char *name, *words;
  const char* made;  // a command that succeeds where the change was made
};
constexpr Change kInstall = {"install", "install second --opp opp",
                             "test -e opp/vendors/second/op_pkg/Hostile/1.0.0/manifest.yaml"};
constexpr Change kOthers[] = {
    {"rollback", "rollback Hostile --opp opp", "test ! -e opp/vendors/test/op_pkg/Hostile/1.1.0"},
    {"uninstall", "uninstall Hostile --vendor test --version 1.1.0 --opp opp",
     "test ! -e opp/vendors/test/op_pkg/Hostile/1.1.0"},
    {"trust", "trust policy signed --opp opp",
     "\"$OPKIT\" trust show --opp opp | grep -q 'packages: signed$'"}};

class LimitedChanges : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    variables_["OPKIT"] = opkit_binary();
    variables_["SEAL"] = OPKIT_SEAL;
    variables_["PACKAGE"] = OPKIT_HOSTILE_PACKAGE;
    ASSERT_EQ(shell("cp -a \"$PACKAGE\" newer && cp -a \"$PACKAGE\" second && "
                    "sed -i 's/1\\.0\\.0/1.1.0/g' newer/op_proto/*.yaml newer/op_impl/*.so && "
                    "\"$SEAL\" newer test 0.1.0 && \"$SEAL\" second second 0.1.0 && "
                    "\"$OPKIT\" install \"$PACKAGE\" --opp ready && "
                    "\"$OPKIT\" upgrade newer --opp ready")
                  .exit_code,
              0)
        << transcript_;
  }
  Shown shell(const std::string& script) {
    const Shown shown = run_program({"bash", "-c", script}, folder_, variables_);
    transcript_ += "$ " + script + "\n" + shown.out + shown.err + "[exit code " +
                   std::to_string(shown.exit_code) + "]\n\n";
    return shown;
  }
  // The names and bytes of what is searched.
  std::string state() { return shell("cd opp && find vendors -type f | sort | xargs md5sum").out; }

  // `limited` is a script that ends with the words of a program, whose own words follow.
  void expect(const Change& change, const std::string& limited, const std::string& limit) {
    SCOPED_TRACE(change.name);
    ASSERT_EQ(shell("rm -rf opp; cp -a ready opp").exit_code, 0);
    const std::string before = state();
    const Shown shown = shell(limited + " " + change.words);
    if (limit.empty()) {
      EXPECT_EQ(shown.exit_code, 0) << shown.err;
    } else {
      EXPECT_EQ(shown.exit_code, 3);
      EXPECT_THAT(shown.out + shown.err, HasSubstr(limit));
      EXPECT_EQ(state(), before);
      EXPECT_NE(shell(change.made).exit_code, 0);
      EXPECT_EQ(shell(std::string("\"$OPKIT\" ") + change.words).exit_code, 0);
    }
    EXPECT_EQ(shell(change.made).exit_code, 0) << shown.err;
  }
  // Installations run the plugin in a worker, and take room; the others must always be possible.
  void expect_all(const std::string& limited, const std::string& limit_of_install) {
    expect(kInstall, limited, limit_of_install);
    for (const Change& change : kOthers) expect(change, limited, "");
  }
};

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map terabytes

TEST_F(LimitedChanges, OfAddresses) {
  int too_small = 4000, least = 2000000;
  while (least - too_small > 1000) {
    const int middle = (least + too_small) / 2;
    const Shown shown =
        shell("ulimit -v " + std::to_string(middle) + "; exec \"$OPKIT\" list --opp ready");
    (shown.exit_code == 0 ? least : too_small) = middle;
  }
  const std::string limit = std::to_string(least + 2000);
  expect_all("ulimit -v " + limit + "; exec \"$OPKIT\"", "ulimit -v is " + limit);
}

#endif

TEST_F(LimitedChanges, OfFileSizes) {
  expect_all("ulimit -f 8; exec \"$OPKIT\"", "ulimit -f is 8");
}

TEST_F(LimitedChanges, OfDescriptors) {
  expect_all("ulimit -n 10; exec \"$OPKIT\"", "ulimit -n is 10");
}

TEST_F(LimitedChanges, OfProcesses) {
  if (::getuid() != 0) GTEST_SKIP() << "only the superuser can become a user without processes";
  const std::string as_user =
      "chmod -R a+rwX . ; exec setpriv --reuid=54321 --clear-groups prlimit ";
  if (shell(as_user + "--nproc=100 \"$OPKIT\" version").exit_code != 0)
    GTEST_SKIP() << "another user cannot run this opkit";
  expect_all(as_user + "--nproc=1 \"$OPKIT\"", "ulimit -u is 1");
}

// Enters a control group of its own, and executes the rest of its words; 77: it may not.
constexpr const char* kEnter = R"sh(
for top in /sys/fs/cgroup/$1 /sys/fs/cgroup; do
  group=$top/opkit_test_$$
  mkdir $group 2>/dev/null || continue
  for file in $2; do
    [ -w $group/$file ] && echo $3 > $group/$file && echo $$ > $group/cgroup.procs && break 2
  done
  rmdir $group
  group=
done
[ -n "$group" ] || exit 77
shift 3
exec "$@"
)sh";

class LimitedGroups : public LimitedChanges {
 protected:
  void SetUp() override {
    LimitedChanges::SetUp();
    write("enter.sh", kEnter);
  }
  void TearDown() override {
    shell(
        "rmdir /sys/fs/cgroup/pids/opkit_test_* /sys/fs/cgroup/memory/opkit_test_* "
        "/sys/fs/cgroup/opkit_test_* 2>/dev/null");
    LimitedChanges::TearDown();
  }
};

TEST_F(LimitedGroups, OfProcesses) {
  const std::string enter = "exec bash enter.sh pids pids.max 1 ";
  if (shell(enter + "true").exit_code != 0) GTEST_SKIP() << "this user may not make groups";
  expect_all(enter + "\"$OPKIT\"", "allows 1 processes");
}

TEST_F(LimitedGroups, OfMemory) {
  const std::string enter =
      "exec bash enter.sh memory 'memory.limit_in_bytes memory.max' 314572800 ";
  if (shell(enter + "true").exit_code != 0) GTEST_SKIP() << "this user may not make groups";
  expect_all(enter + "\"$OPKIT\"", "");
}

// In name spaces of its own, where mounts are nobody else's.
class LimitedMounts : public LimitedChanges {
 protected:
  void SetUp() override {
    LimitedChanges::SetUp();
    if (shell("exec " + apart("mount -t tmpfs none /mnt")).exit_code != 0)
      GTEST_SKIP() << "this user may not mount";
  }
  static std::string apart(const std::string& script) {
    return "unshare -m bash -c 'mount --make-rprivate / && " + script + "'";
  }
};

TEST_F(LimitedMounts, WithoutProc) {
  expect_all("exec " + apart("mount -t tmpfs none /proc && exec \"$OPKIT\" \"$@\"") + " opkit", "");
}

// The OPP lies on a disk of its own, from where it comes back when the command has ended.
TEST_F(LimitedMounts, OfAFullDisk) {
  const std::string on_disk =
      "mkdir -p disk && mount -t tmpfs -o size=16m none disk && cp -a opp disk/ && "
      "ln -s ../second disk/second && cd disk && { cat /dev/zero > fill 2>/dev/null || :; } && "
      "\"$OPKIT\" \"$@\"; code=$?; rm fill; rm -rf ../opp; cp -a opp ..; exit $code";
  expect_all("exec " + apart(on_disk) + " opkit", "No space left on device");
}

}  // namespace
}  // namespace opkit::e2e
