// ascendc_coverage CALLS COMPILER SOURCE_DIR FORWARDS_DIR WORK_DIR PAGE: writes
// docs/ascendc-coverage.md.
#include <cstdio>
#include <filesystem>

#include "opkit/base/file.h"
#include "tests/coverage/page.h"

int main(int argc, char** argv) {
  using namespace opkit;
  if (argc != 7)
    return std::fprintf(stderr, "usage: %s CALLS COMPILER SOURCE FORWARDS WORK PAGE\n", argv[0]), 2;
  const std::filesystem::path source = argv[3], forwards = argv[4], work = argv[5];
  auto calls = coverage::read_calls(argv[1]);
  if (!calls.ok()) return std::fprintf(stderr, "%s\n", calls.error().to_string().c_str()), 1;
  auto found = coverage::probe(*calls, argv[2], {source / "opkit/include", forwards, source}, work);
  if (!found.ok()) return std::fprintf(stderr, "%s\n", found.error().to_string().c_str()), 1;
  const Status written = write_file(argv[6], coverage::to_markdown(*found));
  if (!written.ok()) return std::fprintf(stderr, "%s\n", written.error().to_string().c_str()), 1;
  return 0;
}
