// An offline model read as a program of ONNX operators.
#ifndef OPKIT_MODEL_EXPORT_READ_PLAN_H_
#define OPKIT_MODEL_EXPORT_READ_PLAN_H_

#include <functional>

#include "opkit/contract/op_contract.h"
#include "opkit/model/export/program.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::model_export {

// The contract that the model was made with. Error: OPK-EXPORT-002 where there is none.
using ContractOf = std::function<Result<const OpContract*>(const model::PluginId& plugin)>;

// Fused calls become the operators of their contracts' references. The program is not complete yet.
// Errors: OPK-EXPORT-001 gears, pictures, control flow, a call whose contract has no reference;
// those of `contract_of`, of binding and of lowering.
Result<ExportedProgram> read_plan(const model::OfflineModel& model, const ContractOf& contract_of);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_READ_PLAN_H_
