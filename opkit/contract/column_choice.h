// A column of a contract as users name one on a command line: --column.
#ifndef OPKIT_CONTRACT_COLUMN_CHOICE_H_
#define OPKIT_CONTRACT_COLUMN_CHOICE_H_

#include <string>

#include "opkit/contract/op_contract.h"

namespace opkit {

// Finds a column by its number, by its name ("T=float16, F=ND") or by a dtype that no other column
// has. An Error with `code` lists the columns; its action is the nearest of their names, or
// `example`.
Result<size_t> column_called(const OpContract& contract, const std::string& name, std::string code,
                             const std::string& example);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_COLUMN_CHOICE_H_
