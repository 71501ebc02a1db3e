// write_bounds_page FILE: what ninja bounds_doc runs.
#include <cstdio>

#include "bounds_page.h"
#include "opkit/base/file.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const opkit::Status written = opkit::write_file(argv[1], opkit::reference::bounds_page());
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.error().to_string().c_str());
  return written.ok() ? 0 : 1;
}
