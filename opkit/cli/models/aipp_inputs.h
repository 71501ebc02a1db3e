// Settings of dynamic AIPP, and images for it, as command lines give them.
#ifndef OPKIT_CLI_MODELS_AIPP_INPUTS_H_
#define OPKIT_CLI_MODELS_AIPP_INPUTS_H_

#include <optional>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::cli {

// --aipp FILE.
Flag aipp_flag();

// Holds for each input of the model the tensor that is there already.
using GivenInputs = std::vector<std::optional<Tensor>>;

class AippInputs {
 public:
  // Reads --aipp; without it there are no settings. Borrows the model. Errors: E10001 a file that
  // cannot be read as one of atc's; OPK-CLI-004 settings for an input without dynamic AIPP, or
  // for one twice.
  static Result<AippInputs> read(const model::OfflineModel& model, const Arguments& arguments);

  // Images of files move to the front of their input's memory, and settings for as many are given.
  // Error: OPK-OM-007, an image of another size than the settings say, or another number of them.
  Status give(GivenInputs& given) const;
  // Settings for as many images as the gear takes; nothing for other inputs.
  Result<std::optional<Tensor>> settings(const model::Plan& plan, size_t input) const;

 private:
  struct Settings {
    const model::AippInput* of;
    model::Aipp aipp;
  };
  AippInputs(const model::OfflineModel& model) : model_(&model) {}
  Result<Tensor> rows(const Settings& settings, int64_t images) const;
  Status check(const Settings& settings, const Tensor& image) const;
  Tensor memory(const Settings& settings, const Tensor& image) const;
  const TensorDesc& desc(size_t input) const { return model_->tensors[model_->inputs[input]].desc; }

  const model::OfflineModel* model_;
  std::vector<Settings> all_;
};

// Tells whether the input takes settings of dynamic AIPP.
bool takes_aipp_settings(const model::OfflineModel& model, size_t input);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_AIPP_INPUTS_H_
