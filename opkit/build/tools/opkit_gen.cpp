// opkit-gen CONTRACT KERNEL OUTPUT_FOLDER [--again] [--column=<column>] [-I<folder> ...]
//           [HOST_SOURCE ...]:
// writes the glue of one op and prints, one per line, the op type, its snake_case name, its
// version, whether the units include tiling_structs.h (1 or 0), whether the op runs on a host
// processor (1 or 0), and then the generated files; op_contract.yaml beside them is the contract
// with its family's fields. units.txt there keeps what was printed, and units.d names, as a
// makefile, what was read. Called by opkit_add_op.
// --again: the build asks once more, because a source has changed. Nothing is printed, and a
// failure leaves units.txt empty, upon which CMake runs again and tells it.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "opkit/base/file.h"
#include "opkit/build/codegen/glue.h"
#include "opkit/contract/names.h"

namespace {

namespace fs = std::filesystem;

struct Words {
  fs::path contract, folder;
  opkit::codegen::GlueRequest request;
  bool again = false;
};

Words words_of(int argc, char** argv) {
  Words words{argv[1], argv[3], {}};
  words.request.kernel = argv[2];
  const std::string column = "--column=";
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--again") {
      words.again = true;
    } else if (word.starts_with("-I")) {
      words.request.include_dirs.emplace_back(word.substr(2));
    } else if (word.starts_with(column)) {
      words.request.column = word.substr(column.size());
    } else {
      words.request.host.emplace_back(word);
    }
  }
  return words;
}

// As makefiles write a name.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    if (c == ' ' || c == '#') text += '\\';
    text += c;
    if (c == '$') text += c;
  }
  return text;
}

// Returns a line for make: units.txt depends on the contract, on the family files from which it may
// have fields, and on the sources that were read.
std::string rule_of(const Words& words, const opkit::codegen::Glue& glue) {
  std::string text = escaped(words.folder / "units.txt") + ": " + escaped(words.contract);
  std::error_code failure;
  for (fs::directory_iterator at(words.contract.parent_path(), failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("family") && name.ends_with(".yaml"))
      text += " \\\n  " + escaped(at->path());
  }
  for (const fs::path& file : glue.read) text += " \\\n  " + escaped(file);
  return text + "\n";
}

opkit::Result<std::string> generate(Words& words) {
  OPKIT_TRY(const opkit::OpContract contract, opkit::OpContract::load(words.contract));
  words.request.contract = &contract;
  OPKIT_TRY(const opkit::codegen::Glue glue, opkit::codegen::make_glue(words.request));
  std::error_code failure;
  fs::create_directories(words.folder, failure);
  OPKIT_CHECK(opkit::write_if_new(words.folder / "op_contract.yaml", contract.text));
  std::string list =
      fmt::format("{}\n{}\n{}\n{:d}\n{:d}\n", contract.op, opkit::snake_name(contract.op),
                  contract.version, glue.includes_tiling_structs, glue.is_aicpu);
  for (const auto& file : glue.files) {
    const fs::path path = words.folder / file.name;
    OPKIT_CHECK(opkit::write_if_new(path, file.text));
    list += path.string() + "\n";
  }
  OPKIT_CHECK(opkit::write_file(words.folder / "units.d", rule_of(words, glue)));
  OPKIT_CHECK(opkit::write_if_new(words.folder / "units.txt", list));
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: opkit-gen CONTRACT KERNEL OUTPUT_FOLDER [--again] [--column=<column>] "
                 "[-I<folder> ...] [HOST_SOURCE ...]\n");
    return 2;
  }
  Words words = words_of(argc, argv);
  const auto list = generate(words);
  if (words.again)
    return list.ok() || opkit::write_file(words.folder / "units.txt", "").ok() ? 0 : 1;
  if (list.ok()) return std::fputs(list->c_str(), stdout) < 0;
  std::fprintf(stderr, "%s\n", list.error().to_string().c_str());
  return 1;
}
