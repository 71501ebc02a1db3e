#include "opkit/build/project/run_file.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/build/project/scratch.h"
#include "opkit/build/project/sdk.h"
#include "registry/archive.h"
#include "registry/package_form.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

struct Part {
  std::string name;   // "AddCustom-0.1.0.opkg"
  std::string bytes;  // behind the script, one part after the other
};

// What the script knows about itself stands in front of this: vendor, ops, parts, their bytes.
constexpr const char* kScript = R"sh(
tell() { [ -n "$quiet" ] || echo "[ops_custom] [$(date '+%Y-%m-%d %H:%M:%S')] [INFO] $*"; }
fail() { echo "[ops_custom] [$(date '+%Y-%m-%d %H:%M:%S')] [ERROR] $*" >&2; exit 1; }
usage() {
  echo "usage: $0 [--quiet] [--install-path=DIR] [--extract=DIR]"
  echo "  --install-path=DIR  install below DIR, an absolute path [\$ASCEND_CUSTOM_OPP_PATH, else \$ASCEND_OPP_PATH]"
  echo "  --extract=DIR       write the packages to the new folder DIR and install nothing"
  echo "  --quiet             say only what is wrong"
  echo "ops of $vendor: $ops"
}

quiet= path= extract=
for word in "$@"; do
  case "$word" in
    --quiet) quiet=1 ;;
    --install-path=?*) path=${word#*=} ;;
    --extract=?*) extract=${word#*=} ;;
    --help|-h) usage; exit 0 ;;
    *) usage >&2; fail "'$word' is no option" ;;
  esac
done

# Each part lies behind the script: its name and its bytes, in order.
take_parts() {
  [ "$(wc -c < "$0")" -eq $((script + payload)) ] || fail "$0 is damaged: it does not have its $((script + payload)) bytes"
  at=$((script + 1))
  for part in $parts; do
    name=${part%:*} bytes=${part##*:}
    tail -c +$at "$0" | head -c "$bytes" > "$1/$name" || fail "cannot write $1/$name"
    at=$((at + bytes))
  done
}

if [ -n "$extract" ]; then
  mkdir "$extract" 2>/dev/null || fail "cannot make the new folder $extract"
  take_parts "$extract"
  tell "SUCCESS"
  exit 0
fi

case "$path" in ''|/*) ;; *) fail "--install-path=$path is no absolute path" ;; esac
apart=1
if [ -n "$path" ]; then target=$path
elif [ -n "${ASCEND_CUSTOM_OPP_PATH:-}" ]; then target=$ASCEND_CUSTOM_OPP_PATH
elif [ -n "${ASCEND_OPP_PATH:-}" ]; then target=$ASCEND_OPP_PATH apart=
else fail "env ASCEND_OPP_PATH no exist: source the toolkit's set_env.sh, or give --install-path"; fi
case "$target" in *:*) fail "ASCEND_CUSTOM_OPP_PATH names several folders: give --install-path" ;; esac
mkdir -p "$target" 2>/dev/null && [ -w "$target" ] || fail "cannot write $target"

opkit=${ASCEND_HOME_PATH:+$ASCEND_HOME_PATH/bin/opkit}
[ -n "$opkit" ] && [ -x "$opkit" ] || opkit=$(command -v opkit) || fail "no opkit: source the toolkit's set_env.sh"
work=$(mktemp -d) || fail "cannot make a temporary folder"
trap 'rm -rf "$work"' EXIT
take_parts "$work"

# Everything is judged before anything is installed.
for package in "$work"/*.opkg; do
  "$opkit" inspect "$package" > "$work/said" 2>&1 || { cat "$work/said" >&2; fail "$(basename "$package") cannot be installed"; }
done
for package in "$work"/*.opkg; do
  tell "install $(basename "$package" .opkg)"
  "$opkit" install "$package" --opp "$target" --force ${apart:+--keep-order} > "$work/said" 2>&1 || { cat "$work/said" >&2; fail "$(basename "$package") was not installed"; }
done

home=$target/vendors/$vendor
mkdir -p "$home/scripts" || fail "cannot write $home"
if [ -n "$apart" ]; then
  mkdir -p "$home/bin" || fail "cannot write $home/bin"
  cat > "$home/bin/set_env.bash" <<'END' || fail "cannot write $home/bin"
# Makes the ops beside this file be found: source it.
_vendor=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && pwd)
export ASCEND_CUSTOM_OPP_PATH="$_vendor${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
export LD_LIBRARY_PATH="$_vendor/op_api/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _vendor
END
fi
cat > "$home/scripts/uninstall.sh" <<'END' || fail "cannot write $home/scripts"
#!/bin/sh
# Removes every op of this vendor that is installed here.
home=$(cd "$(dirname "$0")/.." && pwd) || exit 1
opkit=${ASCEND_HOME_PATH:+$ASCEND_HOME_PATH/bin/opkit}
[ -n "$opkit" ] && [ -x "$opkit" ] || opkit=opkit
for op in "$home"/op_pkg/*/; do
  [ ! -d "$op" ] || "$opkit" uninstall "$(basename "$op")" --vendor "$(basename "$home")" --all-versions --opp "$home/../.." || exit 1
done
rm -rf "$home/bin" "$home/scripts"
rmdir "$home" 2>/dev/null || :
END
[ -z "$apart" ] || tell "next: source $home/bin/set_env.bash"
tell "SUCCESS"
exit 0
)sh";

std::string parts_text(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", part.name, part.bytes.size());
  return text;
}

// The script says how long it is: with eight digits its length is the same for every number.
std::string script_text(const std::string& vendor, const std::string& ops,
                        const std::vector<Part>& parts) {
  size_t payload = 0;
  for (const Part& part : parts) payload += part.bytes.size();
  const auto with = [&](size_t length) {
    return fmt::format(
        "#!/bin/sh\n# Installs ops of {0}. Made by opkit {1}.\nvendor='{0}'\nops='{2}'\n"
        "parts='{3}'\npayload={4}\nscript=$((1{5:08} - 100000000))\n{6}",
        vendor, kit_version(), ops, parts_text(parts), payload, length, kScript);
  };
  return with(with(0).size());
}

Result<Part> archive_of(const registry::Package& package, const fs::path& folder) {
  const std::string name = fmt::format("{}-{}.opkg", package.manifest.op, package.manifest.version);
  OPKIT_CHECK(registry::pack(package.root, folder / name));
  OPKIT_TRY(std::string bytes, read_file(folder / name, registry::kMaxPackageBytes));
  return Part{name, std::move(bytes)};
}

Status check_vendors(const std::vector<registry::Package>& packages) {
  for (const registry::Package& package : packages)
    if (package.manifest.vendor != packages[0].manifest.vendor)
      return Error(
          "OPK-RUNFILE-001",
          fmt::format("{} and {} are of two vendors", packages[0].to_string(), package.to_string()),
          "make an installer for each");
  return {};
}

}  // namespace

Status write_run_file(const std::vector<registry::Package>& packages, const fs::path& file) {
  OPKIT_CHECK(check_vendors(packages));
  const Scratch scratch;
  OPKIT_CHECK(scratch.check());
  std::vector<Part> parts;
  std::string ops;
  for (const registry::Package& package : packages) {
    OPKIT_TRY(Part archive, archive_of(package, scratch.path()));
    parts.push_back(std::move(archive));
    ops += (ops.empty() ? "" : " ") + package.manifest.op;
  }
  std::string text = script_text(packages[0].manifest.vendor, ops, parts);
  for (const Part& part : parts) text += part.bytes;
  OPKIT_CHECK(write_file(file, text));
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) return {};  // a pipe keeps its mode
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, failure);
  return {};
}

}  // namespace opkit::project
