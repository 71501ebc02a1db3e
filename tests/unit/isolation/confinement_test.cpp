// Calls that a confined process makes in vain: nothing of the host or of files changes, and nothing
// outlives the process.
#include "opkit/isolation/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace opkit::isolation {
namespace {

struct Attempt {
  const char* name;
  std::function<long()> call;
};

constexpr long kFchmodat2 = 452, kSetxattrat = 463, kSetFlags = 0x40086602;

std::vector<Attempt> attempts(const std::string& file, int open_file) {
  return {
      {"chmod", [=] { return ::chmod(file.c_str(), 0666); }},
      {"fchmodat2", [=] { return ::syscall(kFchmodat2, AT_FDCWD, file.c_str(), 0666, 0); }},
      {"setxattrat",
       [=] { return ::syscall(kSetxattrat, AT_FDCWD, file.c_str(), 0, "user.a", nullptr, 0); }},
      {"lease", [=] { return ::fcntl(open_file, F_SETLEASE, F_RDLCK); }},
      {"lock",
       [=] {
         struct flock lock = {};
         lock.l_type = F_RDLCK;
         return ::fcntl(open_file, F_SETLK, &lock);
       }},
      {"attributes",
       [=] {
         int flags = 0;
         return ::ioctl(open_file, kSetFlags, &flags);
       }},
      {"open for writing", [=] { return ::open(file.c_str(), O_WRONLY); }},
      {"open for reading", [=] { return ::open(file.c_str(), O_RDONLY); }},
      {"read a folder", [] { return ::open("/", O_RDONLY | O_DIRECTORY); }},
      {"read of another process", [] { return ::open("/proc/1/environ", O_RDONLY); }},
      {"processor time",
       [] {
         const rlimit second{1, 1};
         return ::setrlimit(RLIMIT_CPU, &second);
       }},
      {"hide from the host", [] { return ::prctl(PR_SET_DUMPABLE, 0); }},
      {"shared memory", [] { return ::shmget(0x4f504b54, 4096, IPC_CREAT | 0600); }},
      {"message queue", [] { return ::syscall(SYS_msgget, 0x4f504b54, 0x200 | 0600); }},
      {"priority of the parent", [] { return ::setpriority(PRIO_PROCESS, getppid(), 1); }},
      {"host name", [] { return ::sethostname("x", 1); }},
      {"time", [] { return ::syscall(SYS_settimeofday, nullptr, nullptr); }},
      {"swap", [] { return ::swapoff("/nowhere"); }},
      {"accounting", [] { return ::syscall(SYS_acct, nullptr); }},
      {"mount", [] { return ::mount("none", "/nowhere", "tmpfs", 0, nullptr); }},
      {"user", [] { return ::setuid(65534); }},
      {"process", [] { return ::fork(); }},
      {"remove", [=] { return ::unlink(file.c_str()); }},
      {"rename", [=] { return ::rename(file.c_str(), (file + "_new").c_str()); }},
      {"folder", [=] { return ::mkdir((file + "_folder").c_str(), 0700); }},
      {"watch", [] { return ::syscall(SYS_inotify_init1, 0); }},
      {"asynchronous I/O", [] { return ::syscall(SYS_io_setup, 1, nullptr); }},
      {"handle of a file",
       [=] {
         return ::syscall(SYS_name_to_handle_at, AT_FDCWD, file.c_str(), nullptr, nullptr, 0);
       }},
      {"key", [] { return ::syscall(SYS_keyctl, 0, 0, 0, 0, 0); }},
      {"parent's signal", [] { return ::prctl(PR_SET_PDEATHSIG, 0); }},
  };
}

// In a process of its own: which attempts did anything but fail with EPERM or ENOSYS (of opening a
// file: EACCES), by number; 0: none.
int first_success(const std::string& file) {
  const int open_file = ::open(file.c_str(), O_RDONLY);
  if (!confine({}).empty()) return 254;
  const std::vector<Attempt> all = attempts(file, open_file);
  for (size_t i = 0; i < all.size(); ++i) {
    errno = 0;
    const bool failed = all[i].call() < 0;
    if (!failed || (errno != EPERM && errno != ENOSYS && errno != EACCES))
      return static_cast<int>(i + 1);
  }
  // What stays: reading, asking whether something is a terminal, threads.
  termios settings = {};
  const bool asked = ::tcgetattr(open_file, &settings) < 0 && errno == ENOTTY;
  char byte = 0;
  bool ran = false;
  std::thread([&] { ran = true; }).join();
  return ran && asked && ::pread(open_file, &byte, 1, 0) == 1 && byte == 'x' ? 0 : 253;
}

TEST(Confine, LeavesTheHostAndItsFilesAlone) {
  const std::string file = testing::TempDir() + "/opkit_confined_" + std::to_string(getpid());
  const int made = ::open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(made, 0);
  ASSERT_EQ(1, ::write(made, "x", 1));
  ::close(made);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(first_success(file));
  int status = 0;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  struct stat after = {};
  ASSERT_EQ(0, ::stat(file.c_str(), &after));
  EXPECT_EQ(0600u, after.st_mode & 07777u);
  ::unlink(file.c_str());
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  const int code = WEXITSTATUS(status);
  if (code == 254) GTEST_SKIP() << "this host's kernel lacks Landlock or seccomp";
  const std::vector<Attempt> all = attempts(file, -1);
  EXPECT_EQ(0, code) << (code > 0 && code <= static_cast<int>(all.size())
                             ? all[static_cast<size_t>(code - 1)].name
                             : "reading, asking for a terminal, or a thread");
}

}  // namespace
}  // namespace opkit::isolation
