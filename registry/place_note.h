// PlaceNote: why a place that is searched holds nothing that could be found, and what was probably
// meant by it.
#ifndef OPKIT_REGISTRY_PLACE_NOTE_H_
#define OPKIT_REGISTRY_PLACE_NOTE_H_

#include <filesystem>
#include <string>

namespace opkit::registry {

struct PlaceNote {
  std::string text{};             // "does not exist"; empty: nothing is wrong with it
  std::filesystem::path meant{};  // the place that would do, if it lies near
};

// Returns a directory that is to be a vendor's: it holds op_pkg.
PlaceNote note_of_vendor(const std::filesystem::path& directory);
// Returns one that is to be an OPP: it holds vendors or built-in.
PlaceNote note_of_opp(const std::filesystem::path& directory);

// "/a/b"; of a relative path also from where: "b (in /a)".
std::string shown_place(const std::filesystem::path& path);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PLACE_NOTE_H_
