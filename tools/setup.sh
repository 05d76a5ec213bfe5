#!/bin/sh
# setup.sh [LIST] - installs the Debian packages that are missing, from packages.txt or from another list in this
# folder. If none is missing, it ends at once. On a system without apt it only prints what is needed. A command with
# the name of a package counts as that package, because it may have another origin: npm, for example, may have come
# with another Node.
set -eu
here=$(dirname "$0")
packages=$(sed 's/#.*//' "$here/${1:-packages.txt}" | tr -s ' \n' '  ')

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: this system has no apt-get; Heddle needs the contents of these Debian packages:$packages" >&2
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
        echo "setup: packages are missing, and there is no sudo to install them. Run this as root:" >&2
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup: installing$missing"
# If a mirror fails in part, it may still have these packages: the install decides.
$as_root apt-get update || echo "setup: apt-get update failed; trying with the old package lists" >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
