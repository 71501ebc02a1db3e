// opkit-gen CONTRACT KERNEL OUTPUT_FOLDER [--column=<column>] [-I<folder> ...] [HOST_SOURCE ...]:
// writes the glue of one op and prints, one per line, the op type, its snake_case name, its
// version, whether the units include tiling_structs.h (1 or 0), whether the op runs on a host
// processor (1 or 0), and then the generated files; op_contract.yaml beside them is the contract
// with its family's fields. Called by opkit_add_op.
#include <cstdio>
#include <filesystem>
#include <string>

#include "opkit/base/file.h"
#include "opkit/build/codegen/glue.h"
#include "opkit/contract/names.h"

namespace {

namespace fs = std::filesystem;

int fail(const opkit::Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return 1;
}

void take_word(const std::string& word, opkit::codegen::GlueRequest& request) {
  if (word.rfind("-I", 0) == 0) return void(request.include_dirs.emplace_back(word.substr(2)));
  const std::string column = "--column=";
  if (word.rfind(column, 0) == 0) return void(request.column = word.substr(column.size()));
  request.host.emplace_back(word);
}

int generate(const opkit::OpContract& contract, opkit::codegen::GlueRequest& request,
             const fs::path& folder) {
  const auto glue = opkit::codegen::make_glue(request);
  if (!glue.ok()) return fail(glue.error());
  std::error_code code;
  fs::create_directories(folder, code);
  const auto whole = opkit::write_if_new(folder / "op_contract.yaml", contract.text);
  if (!whole.ok()) return fail(whole.error());
  std::printf("%s\n%s\n%s\n%d\n%d\n", contract.op.c_str(), opkit::snake_name(contract.op).c_str(),
              contract.version.c_str(), glue->includes_tiling_structs, glue->is_aicpu);
  for (const auto& file : glue->files) {
    const fs::path path = folder / file.name;
    const auto status = opkit::write_if_new(path, file.text);
    if (!status.ok()) return fail(status.error());
    std::printf("%s\n", path.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: opkit-gen CONTRACT KERNEL OUTPUT_FOLDER [--column=<column>] "
                 "[-I<folder> ...] [HOST_SOURCE ...]\n");
    return 2;
  }
  const auto contract = opkit::OpContract::load(argv[1]);
  if (!contract.ok()) return fail(contract.error());
  opkit::codegen::GlueRequest request;
  request.contract = &*contract;
  request.kernel = argv[2];
  for (int i = 4; i < argc; ++i) take_word(argv[i], request);
  return generate(*contract, request, argv[3]);
}
