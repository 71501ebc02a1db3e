// The source of a program's calls. Private to this folder.
#ifndef OPKIT_MODEL_EXPORT_SOURCE_H_
#define OPKIT_MODEL_EXPORT_SOURCE_H_

#include <string>

#include "opkit/model/export/program.h"

namespace opkit::model_export {

// What becomes model.cpp and weights.bin.
struct ProgramSource {
  std::string functions;   // stand for calls, one behind the other
  std::string take, give;  // what takes inputs in and gives outputs out
  std::string plan;        // functions of the steps on oneDNN, and the one that calls them
  std::string weights;     // bytes
  uint64_t block_bytes = 0;
  size_t calls = 0;
};
// Error: OPK-EXPORT-001 with all that has no source.
Result<ProgramSource> source_of_program(const ExportedProgram& program);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_SOURCE_H_
