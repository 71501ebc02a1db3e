// opkit_soc_table <file>: writes the header with the chips.
#include <cstdio>

#include "opkit/base/file.h"
#include "opkit/soc/soc_table.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: opkit_soc_table <file>\n");
    return 2;
  }
  const auto text = opkit::soc_table_header();
  const opkit::Status status =
      text.ok() ? opkit::write_file(argv[1], text.value()) : opkit::Status(text.error());
  if (status.ok()) return 0;
  opkit::Status failed = status;
  std::fprintf(stderr, "%s\n", failed.error().to_string().c_str());
  return 1;
}
