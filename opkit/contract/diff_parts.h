// The parts of diff_contracts: what changed in one corner of a contract.
#ifndef OPKIT_CONTRACT_DIFF_PARTS_H_
#define OPKIT_CONTRACT_DIFF_PARTS_H_

#include <string>
#include <utility>
#include <vector>

#include "opkit/contract/diff.h"

namespace opkit {

class Changes {
 public:
  void major(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kMajor, std::move(what), std::move(why)});
  }
  void minor(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kMinor, std::move(what), std::move(why)});
  }
  void patch(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kPatch, std::move(what), std::move(why)});
  }
  std::vector<Change> take() { return std::move(list_); }

 private:
  std::vector<Change> list_;
};

// "subject: from -> to"
std::string changed(const std::string& subject, const std::string& from, const std::string& to);

// Whether the shapes of `now` take every call that those of `old` took, and then return the same
// shapes: its symbols stand for items of the old shapes. False when that is not found out.
bool shapes_admit(const OpContract& now, const OpContract& old);

// Inputs and outputs.
void compare_ports(const OpContract& before, const OpContract& after, Changes& changes);
void compare_columns(const OpContract& before, const OpContract& after, Changes& changes);
void compare_attrs(const OpContract& before, const OpContract& after, Changes& changes);
void compare_constraints(const OpContract& before, const OpContract& after, Changes& changes);
void compare_reference(const OpContract& before, const OpContract& after, Changes& changes);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_DIFF_PARTS_H_
