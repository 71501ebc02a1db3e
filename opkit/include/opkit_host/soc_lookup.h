// Chips by name for code that has no context: the table that opkit/soc writes from its YAML files.
#ifndef OPKIT_HOST_SOC_LOOKUP_H_
#define OPKIT_HOST_SOC_LOOKUP_H_

#include <cstdlib>
#include <cstring>
#include <string>

#include "opkit/abi/soc.h"
#include "opkit_host/report.h"
#include "opkit_host/soc_table.h"

// Names the chip of a program; weak, because nothing of it is there in plugins outside of programs.
extern "C" const char* aclrtGetSocName(void) __attribute__((weak));

namespace opkit_host {

// Returns the chip of the call that this thread serves, or nullptr.
OPKIT_HOST_LOCAL inline const opk_soc_v1*& current_soc() {
  static thread_local const opk_soc_v1* soc = nullptr;
  return soc;
}

// By full name, or by short name (the vendor's default chip of the family); nullptr is reported.
inline const opk_soc_v1* find_soc(const char* name) {
  for (const opk_soc_v1& soc : kSocTable) {
    if (name != nullptr && std::strcmp(soc.name, name) == 0) return &soc;
  }
  for (const char* const* family : kSocFamilies) {
    if (name != nullptr && std::strcmp(family[0], name) == 0) return find_soc(family[1]);
  }
  std::string known;
  for (const opk_soc_v1& soc : kSocTable)
    known += std::string(known.empty() ? "" : ", ") + soc.name;
  report(kError, "OPK-HOST-004",
         format("no chip is called '%s'; known: %s", name != nullptr ? name : "", known.c_str()));
  return nullptr;
}

// Returns the chip of the call that this thread serves, else of the program that runs, else
// $OPKIT_SOC.
inline const opk_soc_v1* process_soc() {
  if (current_soc() != nullptr) return current_soc();
  if (aclrtGetSocName != nullptr) return find_soc(aclrtGetSocName());
  const char* name = std::getenv("OPKIT_SOC");
  return find_soc(name != nullptr && *name != '\0' ? name : "Ascend910B1");
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_SOC_LOOKUP_H_
