// Pages with machine code: what they hold is executed and not written, and a host that refuses such
// pages runs passes.
#include "opkit/core/replay/code_pages.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "opkit/core/replay/program_code.h"
#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::code_pages {
namespace {

using namespace AscendC;

// From now on this process cannot make pages executable.
bool refuse_executable_pages() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {static_cast<unsigned short>(std::size(filter)), filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// "r-xp": what /proc says of the pages at an address.
std::string access_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    const size_t dash = line.find('-'), blank = line.find(' ');
    const uintptr_t begin = std::stoul(line.substr(0, dash), nullptr, 16);
    const uintptr_t end = std::stoul(line.substr(dash + 1, blank - dash - 1), nullptr, 16);
    if (wanted >= begin && wanted < end) return line.substr(blank + 1, 4);
  }
  return "";
}

void chain(void* const* args) {
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), 8192);
  z.SetGlobalBuffer(static_cast<float*>(args[2]), 8192);
  const LocalTensor<float> t(TPosition::VECCALC, 0, 1024);
  const uint32_t from = static_cast<uint32_t>(GetBlockIdx()) * 1024;
  DataCopy(t, x[from], 1024);
  Muls(t, t, 0.25f, 1024);
  Exp(t, t, 1024);
  DataCopy(z[from], t, 1024);
}

TEST(CodePages, AreExecutableAndNotWritable) {
  const std::vector<uint8_t> code(5000, 0xc3);  // ret
  const auto pages = CodePages::make(code);
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->bytes() % 4096, 0u);
  EXPECT_GE(pages->bytes(), code.size());
  EXPECT_EQ(pages->begin()[4999], 0xc3);
  EXPECT_EQ(access_of(pages->begin()), "r-xp");
}

// Exits with 0 where passes ran and the report says why.
[[noreturn]] void replay_without_pages() {
  if (!refuse_executable_pages()) ::_exit(2);
  const Replayed seen = replayed<chain>();
  const bool told = seen.report.why_passes == "this host refuses memory for machine code";
  ::_exit(told && seen.same && seen.ok && seen.report.replayed > 0 ? 0 : 1);
}

TEST(CodePages, PassesRunWhereTheHostRefusesThem) {
  if (loop_host() == LoopHost::kNone) GTEST_SKIP() << "no machine code for this host";
  EXPECT_EQ(replayed<chain>().report.compiled, 1u);
  EXPECT_EXIT(replay_without_pages(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace opkit::core::test::code_pages
