// The fields of a contract. Private to this folder.
#ifndef OPKIT_CONTRACT_ROOT_KEYS_H_
#define OPKIT_CONTRACT_ROOT_KEYS_H_

#include <string>
#include <vector>

namespace opkit {

inline const std::vector<std::string> kRootKeys = {
    "op",        "version", "doc",    "inputs",    "outputs",   "types",
    "columns",   "attrs",   "where",  "reference", "spellings", "numeric",
    "tolerance", "soc",     "kernel", "tests",     "bench",     "tuning"};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_ROOT_KEYS_H_
