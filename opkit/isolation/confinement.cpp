#include "opkit/isolation/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

// Of kernels newer than the headers.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

namespace opkit::isolation {
namespace {

constexpr rlim_t kMostWritten = 16u << 20;  // bytes of a file, where nothing else forbids writing
constexpr rlim_t kMostOpen = 256;

void limit(int what, rlim_t most) {
  rlimit now = {};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return;
  const rlim_t least = std::min(most, now.rlim_max);
  const rlimit wanted{least, least};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &wanted);
}

// Landlock's struct as later kernels know it; a kernel takes the part that it knows.
struct Ruleset {
  uint64_t files = 0, network = 0, scopes = 0;
};

Ruleset ruleset_of(int abi) {
  Ruleset rules;
  rules.files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (abi >= 2) rules.files |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= 3) rules.files |= LANDLOCK_ACCESS_FS_TRUNCATE;
  constexpr uint64_t kTcp = 3;  // bind, connect
  constexpr uint64_t kAbstractAndSignals = 3;
  if (abi >= 4) rules.network = kTcp;
  if (abi >= 6) rules.scopes = kAbstractAndSignals;
  return rules;
}

// Files are read as ever: a plugin may have helper libraries and tables. None is written.
bool forbid_writing() {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return false;
  const Ruleset rules = ruleset_of(static_cast<int>(abi));
  const size_t known = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const long set = ::syscall(SYS_landlock_create_ruleset, &rules, known, 0);
  if (set < 0) return false;
  const int null = ::open("/dev/null", O_PATH | O_CLOEXEC);
  landlock_path_beneath_attr allowed = {};
  allowed.allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE;
  allowed.parent_fd = null;
  ::syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &allowed, 0);
  const bool done = ::syscall(SYS_landlock_restrict_self, set, 0) == 0;
  ::close(null);
  ::close(static_cast<int>(set));
  return done;
}

// System calls that fail. A rule that cannot be made is not passed over.
class Filter {
 public:
  ~Filter() {
    if (filter_) seccomp_release(filter_);
  }

  // Where all conditions hold, at most one of an argument. A negative call: not of this machine.
  void refuse(int call, const std::vector<scmp_arg_cmp>& where = {}, int reason = EPERM) {
    if (call < 0 || !filter_) return;
    const auto action = SCMP_ACT_ERRNO(static_cast<uint32_t>(reason));
    complete_ &= seccomp_rule_add_array(filter_, action, call, static_cast<unsigned>(where.size()),
                                        where.data()) == 0;
  }

  bool load() {
    // Found by halves: a worker waits and wakes by system calls.
    if (filter_) seccomp_attr_set(filter_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    return filter_ && seccomp_load(filter_) == 0 && complete_;
  }

 private:
  scmp_filter_ctx filter_ = seccomp_init(SCMP_ACT_ALLOW);
  bool complete_ = true;
};

// What no op has a use for.
void forbid_calls(Filter& filter) {
  const auto refuse = [&filter](std::initializer_list<int> calls) {
    for (const int call : calls) filter.refuse(call);
  };
  refuse({SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind),
          SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4)});
  refuse({SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat)});
  refuse({SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
          SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill),
          SCMP_SYS(kcmp)});
  refuse({SCMP_SYS(setsid), SCMP_SYS(setpgid), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount),
          SCMP_SYS(umount2), SCMP_SYS(chroot), SCMP_SYS(pivot_root)});
  // What would outlive the worker, or is other processes' and the host's.
  refuse({SCMP_SYS(shmget), SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open),
          SCMP_SYS(mq_unlink)});
  refuse({SCMP_SYS(setpriority), SCMP_SYS(ioprio_set), SCMP_SYS(migrate_pages),
          SCMP_SYS(move_pages), SCMP_SYS(process_madvise), SCMP_SYS(process_mrelease)});
  refuse({SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime),
          SCMP_SYS(adjtimex), SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(acct),
          SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(syslog), SCMP_SYS(vhangup),
          SCMP_SYS(fanotify_init), SCMP_SYS(open_by_handle_at)});
  refuse({SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fspick),
          SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(mount_setattr)});
  refuse({SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid),
          SCMP_SYS(setresuid), SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(setfsuid),
          SCMP_SYS(setfsgid), SCMP_SYS(capset)});
  // What Landlock does not know: modes, owners and times of files, locks that the host waits for.
  refuse({SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown),
          SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes),
          SCMP_SYS(futimesat), SCMP_SYS(utimensat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
          SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
          SCMP_SYS(fremovexattr), SCMP_SYS(flock)});
  refuse({SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
          SCMP_SYS(io_uring_enter), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
          SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(init_module),
          SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
          SCMP_SYS(kexec_file_load)});
  // Calls that are newer than this list, such as fchmodat2 (452) and setxattrat (463): unknown, as
  // they are to an older kernel, which libraries are prepared for.
  constexpr int kFirstUnknown = 451, kUnknown = 100;
  for (int call = kFirstUnknown; call < kFirstUnknown + kUnknown; ++call)
    filter.refuse(call, {}, ENOSYS);
}

// Threads, yes; processes, no. Signals to itself only.
void restrict_calls(Filter& filter) {
  const auto self = static_cast<scmp_datum_t>(::getpid());
  filter.refuse(SCMP_SYS(clone), {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)});
  // Its flags lie in memory, which a filter cannot see; the C library falls back on clone.
  filter.refuse(SCMP_SYS(clone3), {}, ENOSYS);
  for (const int call :
       {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo)})
    filter.refuse(call, {SCMP_A0(SCMP_CMP_NE, self)});
  for (const int command :
       {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY, F_SETOWN, F_SETOWN_EX})
    filter.refuse(SCMP_SYS(fcntl), {SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command))});
  // Another death signal, another limit of another process.
  filter.refuse(SCMP_SYS(prctl), {SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG)});
  filter.refuse(SCMP_SYS(prlimit64), {SCMP_A0(SCMP_CMP_NE, 0)});
  for (const int call : {SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler),
                         SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr)})
    filter.refuse(call, {SCMP_A0(SCMP_CMP_NE, 0)});
  // Attributes of files, terminals and devices; whether a file is a terminal may be asked.
  filter.refuse(SCMP_SYS(ioctl), {SCMP_A1(SCMP_CMP_NE, TCGETS)});
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

bool forbid_system_calls() {
  Filter filter;
  forbid_calls(filter);
  restrict_calls(filter);
  return filter.load();
}

}  // namespace

std::string confine() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, kMostWritten);
  limit(RLIMIT_NOFILE, kMostOpen);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  drop_capabilities();
  std::string lacks;
  if (!forbid_writing()) lacks = "Landlock (the plugin may write files)";
  if (!forbid_system_calls())
    lacks += std::string(lacks.empty() ? "" : ", ") +
             "seccomp (the plugin may reach the network and other processes)";
  return lacks.empty() ? lacks : "this host's kernel does not offer " + lacks;
}

}  // namespace opkit::isolation
