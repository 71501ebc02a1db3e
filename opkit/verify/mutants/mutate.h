// Mutants: copies of an op's sources with one plausible mistake each.
#ifndef OPKIT_VERIFY_MUTANTS_MUTATE_H_
#define OPKIT_VERIFY_MUTANTS_MUTATE_H_

#include <string>
#include <string_view>
#include <vector>

namespace opkit::verify {

inline constexpr const char* kKeyMutation = "another tiling key";

enum class SourceKind { kKernel, kHost };

struct Mutant {
  std::string what;    // "Relu left out"
  int line = 0;        // counts from 1
  std::string before;  // the line, without indentation
  std::string after;
  std::string text;   // the whole mutated source
  bool adds = false;  // it does what the original does, and more: a mistake only where that shows
};

// Returns every mutant of a source, in the order of its lines; the same text gives the same
// mutants. Comments and preprocessor lines are left alone. `attrs` are the op's attribute names.
std::vector<Mutant> make_mutants(std::string_view source, SourceKind kind,
                                 const std::vector<std::string>& attrs);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_MUTATE_H_
