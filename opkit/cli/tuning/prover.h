// Prover: candidates of a tuning on data, Checked and beside the oracle.
#ifndef OPKIT_CLI_TUNING_PROVER_H_
#define OPKIT_CLI_TUNING_PROVER_H_

#include <vector>

#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/tuning/row.h"

namespace opkit::cli {

class Prover {
 public:
  // Borrows the op. Runs the call itself where its inputs are small enough for the oracle, or where
  // the contract has no smaller test; and small tests of the contract.
  Prover(const ChosenOp& chosen, const measure::SaidCall& call);

  // Errors: those of a kernel at fault; OPK-TUNE-015 results that the reference does not allow. A
  // test of another shape that refuses the knobs says nothing of the call.
  Status prove(const tuning::TuningRow& row) const;

 private:
  Status prove(const tuning::TuningRow& row, measure::SaidCall call, bool other_shape) const;

  const ChosenOp& chosen_;
  std::vector<measure::SaidCall> calls_;
  bool runs_the_call_ = false;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_PROVER_H_
