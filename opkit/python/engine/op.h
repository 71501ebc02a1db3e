// An op, opened for calls from Python: installed, or a package.
#ifndef OPKIT_PYTHON_ENGINE_OP_H_
#define OPKIT_PYTHON_ENGINE_OP_H_

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opkit/isolation/open_op.h"
#include "opkit/python/engine/arrays.h"

namespace opkit::python {

// Holds the arrays of each port of the contract: none of an optional one that is absent.
using Arrays = std::vector<std::vector<Given>>;

class Op {
 public:
  // word: an op's type, or the folder of a package (it holds a '/'). opp: the OPP folder; none:
  // that of the environment.
  static Result<std::unique_ptr<Op>> open(const std::string& word, const std::string& soc,
                                          const std::optional<std::string>& opp, bool in_process);

  const OpContract& contract() const { return op_.contract; }
  const std::string& soc() const { return soc_; }
  // attrs: by name, of the contract's types. One call at a time: others wait. REQUIRES: Python's
  // lock is held; it is released while the op runs.
  Result<Arrays> run(const Arrays& inputs, const std::map<std::string, py::object>& attrs,
                     bool checked);

 private:
  Op(OpenedOp op, std::string soc) : op_(std::move(op)), soc_(std::move(soc)) {}
  Result<Execution> execute(Invocation call);

  OpenedOp op_;
  std::string soc_;
  std::mutex running_;
};

void add_ops(py::module_& module);

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_ENGINE_OP_H_
