// Judges outputs of the chosen cover and of single nodes beside what the model's file says.
#ifndef OPKIT_ATC_COMPILE_JUDGED_OUTPUTS_H_
#define OPKIT_ATC_COMPILE_JUDGED_OUTPUTS_H_

#include <string>

#include "opkit/atc/compile/file_reference.h"
#include "opkit/atc/compile/proof_found.h"

namespace opkit::compile {

// Judges the outputs of both covers for one set of data.
class JudgedOutputs {
 public:
  // `tolerance`: of the types that compute. What is found goes into the proof.
  JudgedOutputs(FileReference& file, size_t set, double tolerance, Proof& proof)
      : file_(file), set_(set), tolerance_(tolerance), proof_(proof) {}

  // Errors: OPK-PROOF-002, OPK-PROOF-003.
  Status compare(const std::string& name, const Tensor& chosen, const Tensor& single);

 private:
  Status judge(const std::string& name, double allowed, double chosen, double single);
  // Counts an output that was proved.
  Status count(double chosen);
  // Says that nobody can tell a wrong output from a right one.
  Status warn_of_noise(const std::string& name, double noise);
  Status judge_single(const std::string& name, double single);
  bool warn_of_overflows();
  void warn(Error error);

  FileReference& file_;
  const size_t set_;
  const double tolerance_;
  Proof& proof_;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_JUDGED_OUTPUTS_H_
