// What an author's InferShape and InferDataType say of a call that is known by its facts alone.
#ifndef OPKIT_CLI_COMMANDS_AUTHOR_SHAPES_H_
#define OPKIT_CLI_COMMANDS_AUTHOR_SHAPES_H_

#include <vector>

#include "opkit/call/infer/infer.h"
#include "opkit/call/tiling/author_infer.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/isolation/open_op.h"

namespace opkit::cli {

struct AuthorShapes {
  std::string not_asked;              // why, one sentence; empty: the author was asked
  std::vector<AuthorOutput> outputs;  // one entry per output tensor
  std::vector<TensorDesc> expected;   // what the contract says of them
  Status agrees;  // is cross_check's error where they do not agree with the contract
};

// Asks the author's InferShape and InferDataType about a call. `inferred`: the outputs as the
// contract infers them. Errors: call_infer's.
Result<AuthorShapes> ask_author(const OpenedOp& op, const OpContract& contract,
                                const std::vector<PortFacts>& inputs, const Binding& binding,
                                const std::vector<PortFacts>& inferred);

std::string to_text(const AuthorShapes& author);
Json to_json(const AuthorShapes& author);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_AUTHOR_SHAPES_H_
