// opkit-seal PACKAGE_FOLDER VENDOR KIT_VERSION [CONTRACT]: makes a built package complete by
// writing its manifest. Messages name the lines of CONTRACT. Called by opkit_add_op after linking.
#include <cstdio>

#include "registry/install.h"

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: opkit-seal PACKAGE_FOLDER VENDOR KIT_VERSION [CONTRACT]\n");
    return 2;
  }
  const auto manifest =
      opkit::registry::seal({argv[1], argv[2], argv[3], argc == 5 ? argv[4] : ""});
  if (manifest.ok()) return 0;
  std::fprintf(stderr, "%s\n", manifest.error().to_string().c_str());
  return 1;
}
