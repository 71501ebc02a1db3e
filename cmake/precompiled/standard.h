// The standard headers that most files include, compiled once (OpkitPrecompiled.cmake). A file
// includes what it uses all the same: the sanitizers' presets and `dev` build without precompiled
// headers.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
