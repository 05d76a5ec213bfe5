#!/bin/sh
# setup.sh [LIST] - installs the Debian packages of packages.txt, or of another list here, that are missing. Does
# nothing, quickly, when none is; says what is needed on systems without apt. A command of a package's name, wherever it
# comes from, does as well as the package: npm may have come with another Node.
set -eu
here=$(dirname "$0")
packages=$(sed 's/#.*//' "$here/${1:-packages.txt}" | tr -s ' \n' '  ')

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; Heddle needs what these packages hold:$packages" >&2
    exit 0
fi

missing=
for package in $packages; do
    if command -v "$package" >/dev/null; then
        continue
    fi
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    case $status in
    *installed*) [ "$status" != not-installed ] || missing="$missing $package" ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: missing packages, and neither root nor sudo to install them; as root:" >&2
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup: installing$missing"
# A mirror that fails in part still may have what we need: the install decides.
$as_root apt-get update || echo "setup: apt-get update failed, trying with the old lists" >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
