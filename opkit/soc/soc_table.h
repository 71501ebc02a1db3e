// The chips as a C++ header for programs that link nothing of opkit:
// opkit/include/opkit_host/soc_table.h. The build target `soc_table` writes it again; a test
// compares the committed file.
#ifndef OPKIT_SOC_SOC_TABLE_H_
#define OPKIT_SOC_SOC_TABLE_H_

#include <string>

#include "opkit/base/status.h"

namespace opkit {

Result<std::string> soc_table_header();

}  // namespace opkit

#endif  // OPKIT_SOC_SOC_TABLE_H_
