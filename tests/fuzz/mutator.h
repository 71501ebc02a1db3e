// A deterministic mutator of text files: the same seed gives the same mutants on every machine.
#ifndef OPKIT_TESTS_FUZZ_MUTATOR_H_
#define OPKIT_TESTS_FUZZ_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace opkit::fuzz {

class Mutator {
 public:
  Mutator(uint32_t seed, std::vector<std::string> seeds, std::vector<std::string> dictionary);

  // A seed with one to eight random edits.
  std::string next();
  // A number in [0, n). REQUIRES: n > 0.
  size_t pick(size_t n);

 private:
  void edit(std::string& text);
  void edit_bytes(std::string& text, size_t kind);
  void edit_lines(std::string& text, size_t kind);

  std::mt19937 random_;
  std::vector<std::string> seeds_;
  std::vector<std::string> dictionary_;
};

}  // namespace opkit::fuzz

#endif  // OPKIT_TESTS_FUZZ_MUTATOR_H_
