// The bank of tilings of a package: what a tuner found for calls of its op, in a file beside it.
// Every plan of an installed op asks it, so that runs, programs and atc agree.
#ifndef OPKIT_CALL_EXECUTE_TUNED_PLAN_H_
#define OPKIT_CALL_EXECUTE_TUNED_PLAN_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "opkit/base/document.h"
#include "opkit/call/plan/call_plan.h"

namespace opkit {

// A call as banks, stores and jobs name it.
struct CallName {
  std::string inputs;  // "float16[512, 768]; float16[768]", '-' for an absent one
  std::string attrs;   // "axis=-1, epsilon=1e-05", complete; without knobs
  bool operator==(const CallName&) const = default;
};
// Error: that of attributes that the contract does not have.
Result<CallName> name_of_call(const OpContract& contract, const CallFacts& facts);

struct BankEntry {
  std::string soc;  // full name
  CallName call;
  AttrValues knobs;  // hold attributes: "tuning.tile"; empty: nothing beats the default
  uint64_t ns = 0, default_ns = 0, bound_ns = 0;
};

struct Bank {
  std::string op, version;
  std::string plugin;  // digest of the library that was tuned
  std::vector<BankEntry> entries;
};

// <vendor>/tuning/<Op>-<version>.json, for the contract of a package.
std::filesystem::path bank_path(const OpContract& contract);
// Errors: OPK-TUNE-003 a file that is no bank; OPK-FILE's.
Result<Bank> read_bank(const std::filesystem::path& path);
// Returns a bank that stands in another document. Error: OPK-TUNE-003, which names the path.
Result<Bank> bank_from(const Value& root, const std::filesystem::path& path);

// Returns OPK-TUNE-004: what lies in the file was found with another plugin (both are digests).
Error stale_bank(const std::filesystem::path& file, const std::string& op, const std::string& tuned,
                 const std::string& plugin);

// A choice out of a bank; null: nothing fits. Nearest: no entry of this very call; one of the same
// chip, attributes, dtypes and ranks whose every dim is between half and double, the one with the
// least sum of distances (as logarithms).
struct BankChoice {
  const BankEntry* entry = nullptr;
  bool nearest = false;
};
BankChoice choose_from(const Bank& bank, const std::string& soc, const CallName& call);

// "tuning.bank": 0 among the attributes: no bank is asked.
inline constexpr const char* kNoBank = "tuning.bank";

using MakePlan = std::function<Result<CallPlan>(const CallFacts&)>;
// Plans with the knobs that the caller says, else those of the bank, else none. What the bank did
// is a line of the plan's log: OPK-TUNE-010 used, -011 the nearest call's; -004 (a warning) a bank
// of another plugin, -003 one that cannot be read, -012 a choice that the op refuses: not used.
Result<CallPlan> plan_tuned(const OpContract& contract, const std::string& plugin,
                            const std::string& soc, const CallFacts& facts, const MakePlan& make);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_TUNED_PLAN_H_
