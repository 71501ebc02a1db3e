#include "opkit/verify/golden.h"

#include <fmt/format.h>

#include <map>

#include "opkit/base/npz.h"
#include "opkit/oracle/compare_call.h"
#include "opkit/reference/tensor.h"

namespace opkit::verify {
namespace {

namespace fs = std::filesystem;

// What one file says.
struct GoldenCall {
  Ports inputs, expected;
  AttrValues attrs;
  size_t column = 0;
};

class GoldenReader {
 public:
  GoldenReader(const OpContract& contract, std::vector<Tensor> tensors) : contract_(contract) {
    for (Tensor& tensor : tensors) {
      std::string name = tensor.desc().name;
      tensors_[std::move(name)] = std::move(tensor);
    }
  }

  Result<GoldenCall> read() {
    GoldenCall call;
    std::vector<DType> dtypes;
    for (const Port& port : contract_.inputs) {
      OPKIT_TRY(std::vector<Tensor> tensors, take(port));
      dtypes.push_back(tensors.empty() ? DType::kUndefined : tensors.front().dtype());
      call.inputs.push_back(std::move(tensors));
    }
    OPKIT_TRY(call.column, contract_.column_for(dtypes));
    for (size_t p = 0; p < call.inputs.size(); ++p) {
      for (Tensor& tensor : call.inputs[p]) {
        tensor.desc().name = contract_.inputs[p].name;
        tensor.desc().format = contract_.inputs[p].formats[call.column];
      }
    }
    for (const Port& port : contract_.outputs) {
      OPKIT_TRY(std::vector<Tensor> tensors, take(port));
      call.expected.push_back(std::move(tensors));
    }
    for (const Attr& attr : contract_.attrs) take_attr(attr, call.attrs);
    if (!tensors_.empty())
      return contract_.error("OPK-VERIFY-080",
                             fmt::format("the golden file has '{}', which is no input, output or "
                                         "attribute of {}",
                                         tensors_.begin()->first, contract_.op),
                             "name the arrays as the contract names them");
    OPKIT_TRY(call.attrs, contract_.complete(call.attrs));
    return call;
  }

 private:
  Result<std::vector<Tensor>> take(const Port& port) {
    std::vector<Tensor> tensors;
    const bool several = port.presence == Presence::kDynamic || port.count.has_value();
    for (size_t i = 0;; ++i) {
      const auto found = tensors_.find(several ? fmt::format("{}{}", port.name, i) : port.name);
      if (found == tensors_.end() || (!several && i > 0)) break;
      tensors.push_back(std::move(found->second));
      tensors_.erase(found);
    }
    if (tensors.empty() && port.presence == Presence::kRequired)
      return contract_.error("OPK-VERIFY-080",
                             fmt::format("the golden file has no array '{}'", port.name),
                             "numpy.savez(file, x=..., y=...) with every input and output");
    return tensors;
  }

  // Strings have no place in an .npz file that opkit reads.
  void take_attr(const Attr& attr, AttrValues& attrs) {
    const auto found = tensors_.find(attr.name);
    if (found == tensors_.end()) return;
    const Tensor& value = found->second;
    const auto whole = [&](int64_t i) { return static_cast<int64_t>(value.at(i)); };
    std::vector<int64_t> ints;
    std::vector<double> reals;
    std::vector<bool> flags;
    for (int64_t i = 0; i < value.elements(); ++i) {
      ints.push_back(whole(i));
      reals.push_back(value.at(i));
      flags.push_back(value.at(i) != 0);
    }
    const bool one = value.elements() == 1;
    switch (attr.type) {
      case AttrType::kBool:
        if (one) attrs[attr.name] = static_cast<bool>(flags[0]);
        break;
      case AttrType::kInt:
        if (one) attrs[attr.name] = ints[0];
        break;
      case AttrType::kFloat:
        if (one) attrs[attr.name] = reals[0];
        break;
      case AttrType::kListBool: attrs[attr.name] = flags; break;
      case AttrType::kListInt: attrs[attr.name] = ints; break;
      case AttrType::kListFloat: attrs[attr.name] = reals; break;
      default: return;
    }
    tensors_.erase(found);
  }

  const OpContract& contract_;
  std::map<std::string, Tensor> tensors_;
};

void compare_all(const OpContract& contract, const GoldenCall& call, Execution& execution,
                 ProblemResult& result) {
  for (size_t p = 0; p < call.expected.size(); ++p) {
    for (size_t i = 0; i < execution.outputs[p].size() || i < call.expected[p].size(); ++i) {
      const bool both = i < execution.outputs[p].size() && i < call.expected[p].size();
      if (!both || execution.outputs[p][i].shape() != call.expected[p][i].shape()) {
        result.verdict = Verdict::kFailed;
        result.code = oracle::kComputesAnother;
        result.reason = fmt::format(
            "output {} is {}, the golden file has {}", contract.outputs[p].name,
            i < execution.outputs[p].size() ? execution.outputs[p][i].shape().to_string()
                                            : std::string("not there"),
            i < call.expected[p].size() ? call.expected[p][i].shape().to_string()
                                        : std::string("none"));
        return;
      }
      auto value = reference::from_tensor(call.expected[p][i]);
      if (!value.ok()) {
        result.verdict = Verdict::kUnimplemented;
        result.reason = value.error().message;
        return;
      }
      Tensor& got = execution.outputs[p][i];
      got.desc().name = contract.outputs[p].name;
      result.outputs.push_back(compare(contract, call.column, got,
                                       oracle::Bounded::exactly(std::move(value).value()),
                                       call.inputs));
      result.outputs.back().port = p;
      const oracle::Comparison& comparison = result.outputs.back();
      if (comparison.ok()) continue;
      const oracle::WrongElement& worst = comparison.worst.front();
      result.verdict = Verdict::kFailed;
      result.code = "OPK-VERIFY-022";
      result.reason = fmt::format(
          "{}: {} of {} elements differ from the golden file; at [{}] got {:.9g}, expected {:.9g}",
          comparison.output, comparison.wrong, comparison.elements, fmt::join(worst.index, ", "),
          worst.got, worst.expected);
      return;
    }
  }
}

}  // namespace

ProblemResult judge_golden(const OpContract& contract, Executor& executor, const std::string& soc,
                           const fs::path& file) {
  ProblemResult result;
  result.origin = "golden " + file.filename().string();
  result.line = fmt::format("{} ({})", contract.op, result.origin);
  result.problem.soc = soc;
  const auto end = [&](Verdict verdict, const Error& error) {
    result.verdict = verdict;
    result.code = error.code;
    result.reason = fmt::format("{}: {}", error.code, error.message);
    return result;
  };
  auto tensors = load_npz(file);
  if (!tensors.ok()) return end(Verdict::kUnimplemented, tensors.error());
  auto call = GoldenReader(contract, std::move(tensors).value()).read();
  if (!call.ok()) return end(Verdict::kFailed, call.error());
  result.problem.column = call->column;
  result.problem.attrs = call->attrs;
  Invocation invocation;
  invocation.contract = &contract;
  invocation.soc = soc;
  invocation.inputs = call->inputs;
  invocation.attrs = call->attrs;
  auto execution = executor.run(std::move(invocation));
  if (!execution.ok()) return end(Verdict::kFailed, execution.error());
  result.ran = true;
  result.tiling_key = execution->tiling_key;
  result.block_dim = execution->block_dim;
  compare_all(contract, *call, *execution, result);
  return result;
}

}  // namespace opkit::verify
