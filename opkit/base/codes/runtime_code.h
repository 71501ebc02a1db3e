// RuntimeCode: what a number means that a call of the runtime API returns, and its cure. C++17.
//
// The rows stand in runtime.def (what the runtime here returns) and device.def (what the vendor's
// page "aclError" has besides). A test holds them against the headers that programs include.
#ifndef OPKIT_BASE_CODES_RUNTIME_CODE_H_
#define OPKIT_BASE_CODES_RUNTIME_CODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opkit {

struct RuntimeCode {
  int64_t number = 0;
  std::string id;      // is what programs print: "507015", "0xA0078003"
  std::string name;    // "ACL_ERROR_RT_AICORE_EXCEPTION"
  std::string cause;   // what it means, a sentence
  std::string usual;   // what mostly leads to it, sentences
  std::string cure;    // what to do, sentences
  const char* page;    // where to read on, from the root of the repository
  bool returned_here;  // else the device's runtime alone returns it
};

// Sorted by number; those of hi_mpi_* calls, which are made of a module and a number, are not among
// them.
const std::vector<RuntimeCode>& runtime_codes();

// "507015", "0x7bc6f", "-1610121213" and "0xA0078003" are numbers; "EK1103" is none.
std::optional<int64_t> code_number(std::string_view word);

// Finds a code by its number, those of hi_mpi_* calls among them. Nothing: no call returns it.
std::optional<RuntimeCode> find_runtime_code(int64_t number);
// Finds a code by its name; upper and lower case are the same.
std::optional<RuntimeCode> find_runtime_code(std::string_view name);

// Returns what the first digit of a number says, a sentence; empty: nothing. (Page "aclError".)
std::string class_of(int64_t number);

// "507015 ACL_ERROR_RT_AICORE_EXCEPTION: ...\n  usually: ...\n  cure: ...\n  read: ...\n"
std::string explain(const RuntimeCode& code);

}  // namespace opkit

#endif  // OPKIT_BASE_CODES_RUNTIME_CODE_H_
