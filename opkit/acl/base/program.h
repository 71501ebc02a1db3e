// Program: what `opkit cc` says of the program that runs, and the chip that follows from it.
#ifndef OPKIT_ACL_BASE_PROGRAM_H_
#define OPKIT_ACL_BASE_PROGRAM_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opkit_launch/program.h"

namespace opkit::acl {

// Holds a table, or one per object that was linked.
struct Program {
  std::vector<opkit_program_v1> tables;
  std::map<std::string, opk_kernel_fn> cube_entries;
  // Holds the mode that the unit-test API has set.
  int32_t kernel_mode = 0;
  uint64_t tiling_key = 0;
};

// Returns the program's own, made on first use and never destroyed. REQUIRES: the lock is held.
Program& program();

// Returns the program's chip, with the table of what its cores execute. Its texts live as long as
// the process. Ends the process when $OPKIT_SOC names no chip. REQUIRES: the lock is held.
opk_soc_v1 program_soc();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_PROGRAM_H_
