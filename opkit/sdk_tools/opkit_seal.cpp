// opkit-seal PACKAGE_FOLDER VENDOR KIT_VERSION: makes a built package complete by writing its
// manifest. Called by opkit_add_op after linking.
#include <cstdio>

#include "registry/install.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: opkit-seal PACKAGE_FOLDER VENDOR KIT_VERSION\n");
    return 2;
  }
  const auto manifest = opkit::registry::seal({argv[1], argv[2], argv[3]});
  if (manifest.ok()) return 0;
  std::fprintf(stderr, "%s\n", manifest.error().to_string().c_str());
  return 1;
}
