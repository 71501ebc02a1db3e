#include "opkit/acl/base/program.h"

#include <cstdio>
#include <cstdlib>

#include "opkit/acl/base/environment.h"
#include "opkit/soc/soc_names.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

// Returns the chip that the program's kernels were compiled for; empty: it has none.
std::string soc_of_kernels(const Program& program) {
  for (const opkit_program_v1& table : program.tables)
    if (table.kernel_count != 0) return table.soc;
  return {};
}

// Chooses the chip of a program without kernels: $OPKIT_SOC, else what `opkit cc` was told.
SocMatch soc_of_environment(const Program& program) {
  const std::string word = from_environment("OPKIT_SOC");
  const std::string built = program.tables.empty() ? default_soc() : program.tables[0].soc;
  Result<SocMatch> named = find_soc(word.empty() ? built : word);
  if (named.ok()) return *std::move(named);
  std::fprintf(stderr, "OPKIT_SOC: %s\n", named.error().to_string().c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

Program& program() {
  static Program& program = *new Program;
  return program;
}

opk_soc_v1 program_soc() {
  const std::string compiled = soc_of_kernels(program());
  if (compiled.empty()) return to_abi(*soc_of_environment(program()).spec);
  const auto named = find_soc(compiled);
  return to_abi(*(named.ok() ? named : find_soc(default_soc()))->spec);
}

}  // namespace opkit::acl
