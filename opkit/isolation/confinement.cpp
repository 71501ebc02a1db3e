#include "opkit/isolation/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "opkit/base/process/child.h"
#include "opkit/isolation/landlock.h"
#include "opkit/isolation/readable.h"

namespace opkit::isolation {
namespace {

constexpr rlim_t kMostWritten = 16u << 20;  // bytes of a file, where nothing else forbids writing
constexpr rlim_t kMostOpen = 256;
constexpr int kNameOfMemory = 0x53564d41;  // PR_SET_VMA, newer than some headers

void limit(int what, rlim_t most) {
  rlimit now = {};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return;
  const rlim_t least = std::min(most, now.rlim_max);
  const rlimit wanted{least, least};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &wanted);
}

// System calls that go through; every other one fails with EPERM. A rule that cannot be made is not
// passed over.
class Filter {
 public:
  ~Filter() {
    if (filter_) seccomp_release(filter_);
  }

  void allow(std::initializer_list<int> calls) {
    for (const int call : calls) add(SCMP_ACT_ALLOW, call, {});
  }
  // Where the conditions hold.
  void allow(std::initializer_list<int> calls, const std::vector<scmp_arg_cmp>& where) {
    for (const int call : calls) add(SCMP_ACT_ALLOW, call, where);
  }
  // Where the condition holds: a SIGSYS, which tells of it.
  void trap(std::initializer_list<int> calls, const std::vector<scmp_arg_cmp>& where) {
    for (const int call : calls) add(SCMP_ACT_TRAP, call, where);
  }
  // As if the kernel did not have it.
  void hide(int call) { add(SCMP_ACT_ERRNO(ENOSYS), call, {}); }

  bool load() {
    // Found by halves: a worker waits and wakes by system calls.
    if (filter_) seccomp_attr_set(filter_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    return filter_ && seccomp_load(filter_) == 0 && complete_;
  }

 private:
  // A negative call: not of this machine.
  void add(uint32_t action, int call, const std::vector<scmp_arg_cmp>& where) {
    if (call < 0 || !filter_) return;
    complete_ &= seccomp_rule_add_array(filter_, action, call, static_cast<unsigned>(where.size()),
                                        where.data()) == 0;
  }

  scmp_filter_ctx filter_ = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  bool complete_ = true;
};

void allow_memory_and_threads(Filter& filter) {
  filter.allow({SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap),
                SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(msync),
                SCMP_SYS(mlock), SCMP_SYS(mlock2), SCMP_SYS(munlock), SCMP_SYS(mlockall),
                SCMP_SYS(munlockall), SCMP_SYS(memfd_create), SCMP_SYS(pkey_alloc),
                SCMP_SYS(pkey_free), SCMP_SYS(pkey_mprotect), SCMP_SYS(membarrier)});
  filter.allow({SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list),
                SCMP_SYS(set_tid_address), SCMP_SYS(rseq), SCMP_SYS(arch_prctl), SCMP_SYS(gettid),
                SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
                SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
                SCMP_SYS(sched_getattr), SCMP_SYS(sched_get_priority_max),
                SCMP_SYS(sched_get_priority_min), SCMP_SYS(sched_rr_get_interval)});
  // Lets the plugin start threads, but no processes.
  filter.allow({SCMP_SYS(clone)}, {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)});
  // Its flags lie in memory, which a filter cannot see; the C library falls back on clone.
  filter.hide(SCMP_SYS(clone3));
  filter.allow({SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                SCMP_SYS(sched_setattr)},
               {SCMP_A0(SCMP_CMP_EQ, 0)});
}

// Files are read; of what is open already, everything but locks, leases and owners. What makes and
// removes files is missing here, in case that Landlock is.
void allow_files(Filter& filter) {
  filter.allow({SCMP_SYS(open),        SCMP_SYS(openat),    SCMP_SYS(openat2),  SCMP_SYS(close),
                SCMP_SYS(close_range), SCMP_SYS(read),      SCMP_SYS(readv),    SCMP_SYS(pread64),
                SCMP_SYS(preadv),      SCMP_SYS(preadv2),   SCMP_SYS(write),    SCMP_SYS(writev),
                SCMP_SYS(pwrite64),    SCMP_SYS(pwritev),   SCMP_SYS(pwritev2), SCMP_SYS(lseek),
                SCMP_SYS(ftruncate),   SCMP_SYS(fallocate), SCMP_SYS(sendfile), SCMP_SYS(readahead),
                SCMP_SYS(fadvise64),   SCMP_SYS(fsync),     SCMP_SYS(fdatasync)});
  filter.allow(
      {SCMP_SYS(stat),      SCMP_SYS(fstat),      SCMP_SYS(lstat),      SCMP_SYS(newfstatat),
       SCMP_SYS(statx),     SCMP_SYS(statfs),     SCMP_SYS(fstatfs),    SCMP_SYS(access),
       SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),   SCMP_SYS(readlinkat),
       SCMP_SYS(getdents),  SCMP_SYS(getdents64), SCMP_SYS(getcwd),     SCMP_SYS(chdir),
       SCMP_SYS(fchdir),    SCMP_SYS(umask),      SCMP_SYS(getxattr),   SCMP_SYS(lgetxattr),
       SCMP_SYS(fgetxattr), SCMP_SYS(listxattr),  SCMP_SYS(llistxattr), SCMP_SYS(flistxattr)});
  filter.allow({SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2),
                SCMP_SYS(eventfd), SCMP_SYS(eventfd2), SCMP_SYS(poll), SCMP_SYS(ppoll),
                SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create),
                SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait),
                SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_pwait2)});
  // The worker's own channel is a socket; no other one can be made.
  filter.allow({SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(recvmmsg), SCMP_SYS(sendto),
                SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg), SCMP_SYS(shutdown), SCMP_SYS(getsockopt),
                SCMP_SYS(setsockopt), SCMP_SYS(getsockname), SCMP_SYS(getpeername)});
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
                            F_GET_SEALS, F_GETLK, F_GETPIPE_SZ, F_SETPIPE_SZ})
    filter.allow({SCMP_SYS(fcntl)}, {SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command))});
  // Whether a file is a terminal may be asked; attributes are not for a plugin.
  filter.allow({SCMP_SYS(ioctl)}, {SCMP_A1(SCMP_CMP_EQ, TCGETS)});
}

void allow_time(Filter& filter) {
  filter.allow({SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep),
                SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
                SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(getitimer), SCMP_SYS(timer_create),
                SCMP_SYS(timer_settime), SCMP_SYS(timer_gettime), SCMP_SYS(timer_getoverrun),
                SCMP_SYS(timer_delete), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
                SCMP_SYS(timerfd_gettime)});
}

// SIGKILL leaves no trace of who sent it, so that its sender is told from those outside here.
void allow_own_signals(Filter& filter, scmp_datum_t self) {
  const scmp_arg_cmp to_itself = SCMP_A0(SCMP_CMP_EQ, self);
  filter.allow({SCMP_SYS(kill), SCMP_SYS(rt_sigqueueinfo)},
               {to_itself, SCMP_A1(SCMP_CMP_NE, SIGKILL)});
  filter.allow({SCMP_SYS(tgkill), SCMP_SYS(rt_tgsigqueueinfo)},
               {to_itself, SCMP_A2(SCMP_CMP_NE, SIGKILL)});
  filter.trap({SCMP_SYS(kill), SCMP_SYS(rt_sigqueueinfo)},
              {to_itself, SCMP_A1(SCMP_CMP_EQ, SIGKILL)});
  filter.trap({SCMP_SYS(tgkill), SCMP_SYS(rt_tgsigqueueinfo)},
              {to_itself, SCMP_A2(SCMP_CMP_EQ, SIGKILL)});
}

// What it asks of itself, and the signals that it sends itself.
void allow_itself(Filter& filter) {
  filter.allow({SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
                SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait),
                SCMP_SYS(sigaltstack), SCMP_SYS(signalfd), SCMP_SYS(signalfd4), SCMP_SYS(pause),
                SCMP_SYS(restart_syscall)});
  filter.allow(
      {SCMP_SYS(getpid),        SCMP_SYS(getppid),       SCMP_SYS(getpgid),    SCMP_SYS(getpgrp),
       SCMP_SYS(getsid),        SCMP_SYS(getuid),        SCMP_SYS(geteuid),    SCMP_SYS(getgid),
       SCMP_SYS(getegid),       SCMP_SYS(getresuid),     SCMP_SYS(getresgid),  SCMP_SYS(getgroups),
       SCMP_SYS(capget),        SCMP_SYS(getpriority),   SCMP_SYS(ioprio_get), SCMP_SYS(getrlimit),
       SCMP_SYS(getrusage),     SCMP_SYS(sysinfo),       SCMP_SYS(uname),      SCMP_SYS(getrandom),
       SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy), SCMP_SYS(mbind)});
  const auto self = static_cast<scmp_datum_t>(::getpid());
  allow_own_signals(filter, self);
  // Not its processor time: who runs out of that is ended by the kernel, in nobody's name.
  filter.allow({SCMP_SYS(setrlimit)}, {SCMP_A0(SCMP_CMP_NE, RLIMIT_CPU)});
  filter.allow({SCMP_SYS(prlimit64)}, {SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_NE, RLIMIT_CPU)});
  // The death signal stays as it is, and so does what the host can see of the process.
  for (const int option :
       {PR_SET_NAME, PR_GET_NAME, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_CAPBSET_READ,
        PR_GET_NO_NEW_PRIVS, PR_GET_TIMERSLACK, PR_SET_TIMERSLACK, PR_GET_THP_DISABLE,
        PR_SET_THP_DISABLE, kNameOfMemory})
    filter.allow({SCMP_SYS(prctl)}, {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option))});
}

// Calls that are newer than these lists: unknown, as they are to an older kernel, which libraries
// are prepared for.
void hide_newer_calls(Filter& filter) {
  constexpr int kFirstUnknown = 451, kUnknown = 100;
  for (int call = kFirstUnknown; call < kFirstUnknown + kUnknown; ++call) filter.hide(call);
}

// The superuser's worker keeps what reads files, as the packages may be somebody else's.
void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct has[2] = {};
  if (::syscall(SYS_capget, &header, has) != 0) return;
  constexpr uint32_t kRead = 1u << CAP_DAC_READ_SEARCH;
  has[0] = {has[0].effective & kRead, has[0].permitted & kRead, 0};
  has[1] = {};
  ::syscall(SYS_capset, &header, has);
}

bool restrict_calls() {
  Filter filter;
  allow_memory_and_threads(filter);
  allow_files(filter);
  allow_time(filter);
  allow_itself(filter);
  hide_newer_calls(filter);
  return filter.load();
}

}  // namespace

std::string confine(const std::filesystem::path& folder) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, kMostWritten);
  limit(RLIMIT_NOFILE, kMostOpen);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  drop_capabilities();
  std::string lacks;
  if (!restrict_files(readable_places(folder)))
    lacks = "Landlock (the plugin may read and write what you may)";
  if (!restrict_calls())
    lacks += std::string(lacks.empty() ? "" : ", ") +
             "seccomp (the plugin may reach the network and other processes)";
  if (::access("/proc/self/statm", F_OK) != 0)
    lacks += std::string(lacks.empty() ? "" : ", ") + "/proc (the plugin's memory is not watched)";
  return lacks.empty() ? lacks : "this host does not offer " + lacks;
}

std::string confinement_here() {
  constexpr std::chrono::seconds kPatience{10};
  const auto tried = run_in_child(
      [](int fd) {
        write_all(fd, confine({}));
        return 0;
      },
      kPatience);
  if (!tried.ok()) return tried.error().message;
  return tried->ok() ? tried->output : "this host's kernel ends a process that is confined";
}

}  // namespace opkit::isolation
