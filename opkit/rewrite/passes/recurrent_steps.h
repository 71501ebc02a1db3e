// One step of each kind of recurrent layer in the words of the cells among the shipped ops. Private
// to the rephrasings.
#ifndef OPKIT_REWRITE_PASSES_RECURRENT_STEPS_H_
#define OPKIT_REWRITE_PASSES_RECURRENT_STEPS_H_

#include <string>
#include <vector>

#include "opkit/rewrite/passes/new_nodes.h"
#include "opkit/rewrite/passes/unrolled_layer.h"

namespace opkit::passes {

// Holds the weights of one direction, by gate as the layer orders them: rows of [hidden, features]
// for the operand, of [hidden, hidden] for the state, and [hidden] of each one's bias or nothing at
// all.
struct GateWeights {
  std::vector<std::string> x, h, bias_x, bias_h;
};

struct RecurrentState {
  std::string h, c;  // [batch, hidden]; c: of an LSTM
};

// The steps of one direction of a layer.
class RecurrentSteps {
 public:
  // Adds what all steps share. `what` begins its names.
  RecurrentSteps(NewNodes& nodes, const UnrolledLayer& layer, int64_t direction,
                 const GateWeights& weights, const std::string& what);

  // Adds a step on x of [batch, features]. `at` begins its names.
  RecurrentState step(const std::string& at, const std::string& x,
                      const RecurrentState& before) const;

 private:
  // The weights of some gates side by side, and their bias or an empty name.
  struct Columns {
    std::string weights, bias;
  };

  Columns columns(const std::vector<std::string>& rows, const std::vector<std::string>& biases,
                  const std::vector<size_t>& gates, const std::string& what) const;
  std::string product(const std::string& x, const Columns& with, const std::string& what) const;
  std::string activated(const std::string& x, size_t which, const std::string& what) const;
  std::vector<std::string> gates_of(const std::string& sums, int64_t count,
                                    const std::string& what) const;
  std::string sum_of_both(const std::string& at, const std::string& x, const std::string& h) const;

  RecurrentState rnn(const std::string& at, const std::string& x, const RecurrentState& s) const;
  RecurrentState lstm(const std::string& at, const std::string& x, const RecurrentState& s) const;
  RecurrentState gru(const std::string& at, const std::string& x, const RecurrentState& s) const;

  NewNodes& nodes_;
  const UnrolledLayer& layer_;
  const int64_t direction_;
  Columns x_, h_;
  std::string bias_;    // is the bias of both, where no gate tells them apart
  Columns remembered_;  // holds what a GRU remembers whose reset gate meets the state itself
};

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_RECURRENT_STEPS_H_
