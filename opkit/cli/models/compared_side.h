// A model of opkit model compare: an ONNX file by the interpreter, or an offline model on its
// emulated chip.
#ifndef OPKIT_CLI_MODELS_COMPARED_SIDE_H_
#define OPKIT_CLI_MODELS_COMPARED_SIDE_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/quantize/compare_models.h"
#include "opkit/quantize/samples.h"

namespace opkit::cli {

class ComparedModel {
 public:
  // Reads the file; takes the data's dims where the model leaves them open. Errors: those of
  // reading; OPK-QUANT-002 the data do not fit.
  static Result<ComparedModel> open(const std::string& file, const Arguments& arguments,
                                    Console& console);
  std::vector<std::string> input_names() const;
  Status take_data(const quantize::Samples& samples);

  // REQUIRES: take_data. The side must outlive it.
  quantize::ModelSide side() const;
  const quantize::Samples& samples() const;
  bool runs_on_chip() const;
  const std::string& file() const;

  ComparedModel(ComparedModel&&) noexcept;
  ~ComparedModel();

 private:
  struct State;
  explicit ComparedModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_COMPARED_SIDE_H_
