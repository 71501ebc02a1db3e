#include "traced.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Kind = FileCall::Kind;

// Where a call names its files: by paths, each behind the descriptor of a folder or not, or by a
// descriptor.
struct Form {
  Kind kind;
  int path = -1, folder = -1, to = -1, to_folder = -1, file = -1;
};

const std::map<uint64_t, Form>& forms() {
  static const std::map<uint64_t, Form> all = {
    {SYS_openat, {Kind::kCreate, 1, 0}},
    {SYS_write, {.kind = Kind::kWrite, .file = 0}},
    {SYS_writev, {.kind = Kind::kWrite, .file = 0}},
    {SYS_pwrite64, {.kind = Kind::kWrite, .file = 0}},
    {SYS_pwritev, {.kind = Kind::kWrite, .file = 0}},
    {SYS_pwritev2, {.kind = Kind::kWrite, .file = 0}},
    {SYS_sendfile, {.kind = Kind::kWrite, .file = 0}},
    {SYS_copy_file_range, {.kind = Kind::kWrite, .file = 2}},
    {SYS_splice, {.kind = Kind::kWrite, .file = 2}},
    {SYS_ftruncate, {.kind = Kind::kWrite, .file = 0}},
    {SYS_fallocate, {.kind = Kind::kWrite, .file = 0}},
    {SYS_truncate, {Kind::kWrite, 0}},
    {SYS_mkdirat, {Kind::kMakeFolder, 1, 0}},
    {SYS_renameat2, {Kind::kRename, 1, 0, 3, 2}},
    {SYS_linkat, {Kind::kOther, 1, 0}},
    {SYS_symlinkat, {Kind::kOther, 2, 1}},
    {SYS_mknodat, {Kind::kCreate, 1, 0}},
    {SYS_unlinkat, {Kind::kRemove, 1, 0}},
    {SYS_fsync, {.kind = Kind::kFlush, .file = 0}},
    {SYS_fdatasync, {.kind = Kind::kFlush, .file = 0}},
    {SYS_fchmod, {.kind = Kind::kOther, .file = 0}},
    {SYS_fchmodat, {Kind::kOther, 1, 0}},
    {SYS_utimensat, {Kind::kOther, 1, 0}},
    {SYS_flock, {.kind = Kind::kOther, .file = 0}},
    {SYS_fchown, {.kind = Kind::kOther, .file = 0}},
    {SYS_fchownat, {Kind::kOther, 1, 0}},
    {SYS_setxattr, {Kind::kOther, 0}},
    {SYS_lsetxattr, {Kind::kOther, 0}},
    {SYS_fsetxattr, {.kind = Kind::kOther, .file = 0}},
    {SYS_removexattr, {Kind::kOther, 0}},
    {SYS_lremovexattr, {Kind::kOther, 0}},
    {SYS_fremovexattr, {.kind = Kind::kOther, .file = 0}},
    {SYS_ioctl, {.kind = Kind::kWrite, .file = 0}},
    {SYS_mmap, {.kind = Kind::kWrite, .file = 4}},
#if defined(__x86_64__)
    {SYS_open, {Kind::kCreate, 0}},
    {SYS_creat, {Kind::kCreate, 0}},
    {SYS_mkdir, {Kind::kMakeFolder, 0}},
    {SYS_rename, {.kind = Kind::kRename, .path = 0, .to = 1}},
    {SYS_renameat, {Kind::kRename, 1, 0, 3, 2}},
    {SYS_unlink, {Kind::kRemove, 0}},
    {SYS_rmdir, {Kind::kRemove, 0}},
    {SYS_link, {Kind::kOther, 0}},
    {SYS_symlink, {Kind::kOther, 1}},
    {SYS_chmod, {Kind::kOther, 0}},
    {SYS_chown, {Kind::kOther, 0}},
    {SYS_lchown, {Kind::kOther, 0}},
#endif
  };
  return all;
}

using Entry = __ptrace_syscall_info;

// Tells whether a call changes files, which some do by certain arguments only.
bool may_change(const Entry& entry) {
  constexpr uint64_t kOpening = O_CREAT | O_WRONLY | O_RDWR | O_TRUNC;
  const auto& args = entry.entry.args;
  switch (entry.entry.nr) {
    case SYS_openat: return (args[2] & kOpening) != 0;
    case SYS_ioctl: return args[1] == FICLONE || args[1] == FICLONERANGE;
    case SYS_mmap:
      return (args[3] & MAP_SHARED) != 0 && (args[2] & PROT_WRITE) != 0 &&
             static_cast<int>(args[4]) >= 0;
#if defined(__x86_64__)
    case SYS_open: return (args[1] & kOpening) != 0;
#endif
    default: return true;
  }
}

Inode inode_of(const fs::path& path) {
  struct stat facts = {};
  if (::lstat(path.c_str(), &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino};
}

std::string text_at(pid_t child, uint64_t address) {
  std::string text(4096, '\0');
  const uint64_t in_page = 4096 - address % 4096;  // what follows may not be mapped
  size_t got = 0;
  for (const size_t bytes : {in_page, uint64_t{4096} - in_page}) {
    iovec here{text.data() + got, bytes}, there{reinterpret_cast<void*>(address + got), bytes};
    const ssize_t read = ::process_vm_readv(child, &here, 1, &there, 1, 0);
    if (read <= 0) break;
    got += static_cast<size_t>(read);
    if (text.find('\0') < got) break;
  }
  return text.c_str();
}

fs::path of_descriptor(pid_t child, uint64_t number) {
  const auto descriptor = static_cast<int>(number);
  std::error_code code;
  const std::string process = fmt::format("/proc/{}/", child);
  if (descriptor == AT_FDCWD) return fs::read_symlink(process + "cwd", code);
  return fs::read_symlink(fmt::format("{}fd/{}", process, descriptor), code);
}

fs::path named(pid_t child, const Entry& entry, int path, int folder) {
  const auto base =
      static_cast<uint64_t>(folder < 0 ? AT_FDCWD : static_cast<int>(entry.entry.args[folder]));
  return of_descriptor(child, base) / text_at(child, entry.entry.args[path]);
}

FileCall call_of(pid_t child, const Entry& entry, const Form& form) {
  FileCall call;
  call.kind = form.kind;
  call.path = form.file >= 0 ? of_descriptor(child, entry.entry.args[form.file])
                             : named(child, entry, form.path, form.folder);
  call.file = inode_of(call.path);
  call.folder = inode_of(call.path.parent_path());
  if (call.kind == Kind::kCreate && call.file != Inode{}) call.kind = Kind::kOther;
  if (form.to < 0) return call;
  std::error_code code;
  call.to = named(child, entry, form.to, form.to_folder);
  call.to_folder = inode_of(call.to.parent_path());
  call.moves_folder = fs::is_directory(fs::symlink_status(call.path, code));
  return call;
}

// Until it is about to change files. Nothing: it has ended, and `status` says how.
std::optional<FileCall> next_change(pid_t child, int& status) {
  while (true) {
    if (::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) return std::nullopt;
    if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return std::nullopt;
    Entry entry = {};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof entry, &entry);
    if (entry.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    const auto form = forms().find(entry.entry.nr);
    if (form != forms().end() && may_change(entry)) return call_of(child, entry, form->second);
  }
}

// The call that is about to begin does not take place.
void let_fail(pid_t child, int error, int& status) {
#if defined(__x86_64__)
  ::ptrace(PTRACE_POKEUSER, child, offsetof(user_regs_struct, orig_rax), -1L);
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_POKEUSER, child, offsetof(user_regs_struct, rax), -static_cast<long>(error));
#elif defined(__aarch64__)
  int none = -1;
  iovec number{&none, sizeof none};
  ::ptrace(PTRACE_SETREGSET, child, NT_ARM_SYSTEM_CALL, &number);
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  ::waitpid(child, &status, 0);
  user_regs_struct registers = {};
  iovec all{&registers, sizeof registers};
  ::ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &all);
  registers.regs[0] = static_cast<uint64_t>(-static_cast<int64_t>(error));
  ::ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &all);
#endif
}

bool hits(const Strike& strike, int count, const FileCall& call) {
  if (strike.nth < 0 || count < strike.nth) return false;
  if (!strike.for_good) return count == strike.nth;
  return strike.error != ENOSPC || call.needs_space();
}

pid_t start(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    try {
      ::_exit(work() ? 0 : 1);
    } catch (...) {
      ::_exit(2);  // or it would go on with the cases of its parent
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  return child;
}

// What of a record of calls is not on the disk yet.
struct Unflushed {
  std::set<Inode> files, folders;  // lack bytes on the disk, lack entries there
  std::set<Inode> moves;           // folders with an entry that was moved
  void follow(const FileCall& call);
};

void Unflushed::follow(const FileCall& call) {
  if (call.kind == Kind::kWrite) files.insert(call.file);
  if (call.kind == Kind::kCreate || call.kind == Kind::kMakeFolder) folders.insert(call.folder);
  if (call.kind == Kind::kRename) moves.insert({call.folder, call.to_folder});
  if (call.kind != Kind::kFlush) return;
  for (std::set<Inode>* each : {&files, &folders, &moves}) each->erase(call.file);
}

// Looks at what lies below `root`, before or after it was moved there.
bool holds_unflushed(const std::vector<FileCall>& calls, size_t until, const fs::path& root) {
  std::map<Inode, fs::path> paths;
  Unflushed now;
  for (size_t i = 0; i < until; ++i) {
    now.follow(calls[i]);
    paths[calls[i].file] = calls[i].path;
    paths[calls[i].folder] = calls[i].path.parent_path();
  }
  const auto inside = [&](const Inode& each) {
    return (paths[each].string() + "/").starts_with(root.string() + "/");
  };
  return std::any_of(now.files.begin(), now.files.end(), inside) ||
         std::any_of(now.folders.begin(), now.folders.end(), inside);
}

bool is_temporary(const fs::path& path) {
  const std::string name = path.filename();
  return name.ends_with(".tmp") || name.ends_with(".new");
}

}  // namespace

bool FileCall::needs_space() const {
  return kind == Kind::kCreate || kind == Kind::kWrite || kind == Kind::kMakeFolder;
}

bool can_trace() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Traced run_traced(const std::function<bool()>& work, const Strike& strike) {
  const pid_t child = start(work);
  Traced traced;
  int status = 0;
  for (int count = 0; auto call = next_change(child, status); ++count) {
    if (!hits(strike, count, *call)) {
      traced.calls.push_back(*std::move(call));
      continue;
    }
    traced.struck = true;
    if (strike.error != 0) let_fail(child, strike.error, status);
    if (strike.error != 0) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return traced;
  }
  traced.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return traced;
}

std::set<Inode> unflushed_files(const std::vector<FileCall>& calls) {
  Unflushed now;
  for (const FileCall& call : calls) now.follow(call);
  return now.files;
}

std::vector<std::string> bad_orders(const std::vector<FileCall>& calls) {
  std::vector<std::string> bad;
  Unflushed now;
  for (size_t i = 0; i < calls.size(); ++i) {
    const FileCall& call = calls[i];
    const bool moves = call.kind == Kind::kRename;
    if (moves && call.moves_folder && holds_unflushed(calls, i, call.path))
      bad.push_back(fmt::format("{} is moved before all in it is flushed", call.path.string()));
    if (moves && !call.moves_folder && !is_temporary(call.to) && now.files.contains(call.file))
      bad.push_back(fmt::format("{} gets its name before its bytes are flushed", call.to.string()));
    if (moves && call.moves_folder && !now.moves.empty())
      bad.push_back(fmt::format("{} is moved before an earlier move is flushed", call.to.string()));
    if (call.kind == Kind::kRemove && !now.moves.empty())
      bad.push_back(fmt::format("{} is removed before a move is flushed", call.path.string()));
    now.follow(call);
  }
  if (!now.moves.empty()) bad.push_back("it ends before a move is flushed");
  return bad;
}

}  // namespace opkit::registry
