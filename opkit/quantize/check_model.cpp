#include "opkit/quantize/check_model.h"

#include <algorithm>
#include <mutex>

namespace opkit::quantize {

Result<CheckedModel> check_model(const Walk& model, const Walk& other, const Samples& samples,
                                 size_t most, unsigned threads, const Advance& advance) {
  CheckedModel checked;
  checked.samples = std::min(most, samples.count());
  const std::vector<std::string>& outputs = model.graph().outputs;
  std::mutex lock;
  size_t done = 0;
  Status status = in_threads(checked.samples, threads, [&](size_t sample) -> Status {
    OPKIT_TRY(const auto inputs, samples.named(sample));
    OPKIT_TRY(const auto a, model.compute(outputs, inputs));
    OPKIT_TRY(const auto b, other.compute(outputs, inputs));
    const std::lock_guard guard(lock);
    for (const std::string& output : outputs) {
      const graph::RefTensor &x = a.at(output), &y = b.at(output);
      if (!is_float(x.dtype) || x.elements() != y.elements()) continue;
      checked.outputs[output].add(x, y);
      if (is_scores(x)) checked.scores[output].add(x, y, {});
    }
    advance(++done);
    return {};
  });
  if (!status.ok()) return std::move(status).error();
  return checked;
}

}  // namespace opkit::quantize
