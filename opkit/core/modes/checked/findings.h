// FindingLog: findings in the order of their first occurrence, each once per pair of instructions.
#ifndef OPKIT_CORE_MODES_CHECKED_FINDINGS_H_
#define OPKIT_CORE_MODES_CHECKED_FINDINGS_H_

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "opkit/core/modes/checked.h"

namespace opkit::core::checked {

class FindingLog {
 public:
  // True when this pair was reported before; the count is then raised and nothing needs composing.
  bool repeated(const char* code, const void* pc, const void* other_pc);
  bool knows(const std::string& code, const void* pc, const void* other_pc) const {
    return known_.count(Key(code, pc, other_pc)) != 0;
  }
  void add(Finding finding);
  std::vector<Finding> take();
  bool has_errors() const;

 private:
  using Key = std::tuple<std::string, const void*, const void*>;
  std::map<Key, size_t> known_;
  std::vector<Finding> findings_;
};

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_FINDINGS_H_
