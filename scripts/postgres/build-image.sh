#!/usr/bin/env bash
# Builds an image with PostgreSQL from Debian's packages alone, where no image registry can be reached, and prints its
# tag, a hash of the recipe and of the packages' versions. An image with that tag is not built again.
# Usage: build-image.sh. Needs apt, dpkg-deb, tar and a Docker engine that answers.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=apt-again.sh
. "$here/apt-again.sh"
major=${EVE_POSTGRES_MAJOR:-15} # the major version that Debian 12 has
programs=(dash bash coreutils mawk grep sed util-linux libc-bin tzdata)
# What the server does without: the JIT compiler, and what packages need only to be configured.
unwanted='libllvm*|libz3*|perl*|libperl*|python*|gcc-*-base*|ucf_*|debconf*|ssl-cert*|adduser*|openssl_*|postgresql-client-common*|postgresql-common*'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$work/debs/partial" "$root"

fetch() { # apt-get options…: the closure of PostgreSQL on a machine that has nothing installed
  apt-get "${apt_options[@]}" -y --no-install-recommends -o Dir::State::status=/dev/null -o Dir::Cache::archives="$work/debs" \
    -o APT::Sandbox::User=root "$@" install "postgresql-$major" "${programs[@]}"
}

tag_of() { # the recipe and the exact packages, so an image of other packages has another tag
  {
    cat "$here/build-image.sh" "$here/docker-entrypoint.sh"
    # Not the name of the mirror, only what comes from it.
    fetch --print-uris | sed "s/^'[^']*' //" | sort
  } | sha256sum | cut -c1-12
}

unpack() {
  local deb
  # Merged /usr first: packages that still ship /bin or /lib land there.
  mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
  for link in bin sbin lib lib64; do ln -s "usr/$link" "$root/$link"; done
  for deb in "$work"/debs/*.deb; do
    if is_unwanted "${deb##*/}"; then continue; fi
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --keep-directory-symlink \
      --exclude='./usr/share/man' --exclude='./usr/share/doc' --exclude='./usr/share/locale' \
      --exclude='./usr/share/i18n' --exclude='*/llvmjit*' --exclude='*/lib/bitcode' \
      --exclude='./usr/share/perl*' --exclude='./usr/lib/*/perl*'
  done
}

is_unwanted() { # file name
  local pattern
  IFS='|' read -ra patterns <<<"$unwanted"
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053
    [[ $1 == $pattern ]] && return 0
  done
  return 1
}

# What the packages' own scripts would have done, as far as a server needs it.
configure() {
  ln -sf mawk "$root/usr/bin/awk"
  [ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
  mkdir -p "$root"/{tmp,proc,dev,sys,run,root,etc,var/lib/postgresql,usr/local/bin}
  chmod 1777 "$root/tmp"
  rm -rf "$root/var/run"
  ln -s /run "$root/var/run"
  printf '%s\n' 'root:x:0:0::/root:/bin/sh' 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >"$root/etc/passwd"
  printf '%s\n' 'root:x:0:' 'postgres:x:999:' >"$root/etc/group"
  printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$root/etc/nsswitch.conf"
  install -m 0755 "$here/docker-entrypoint.sh" "$root/usr/local/bin/"
}

import() { # tag
  local bin=/usr/lib/postgresql/$major/bin
  tar -C "$root" --numeric-owner --owner=0 --group=0 -c . | docker import \
    -c "ENV PATH=$bin:/usr/local/bin:/usr/bin:/usr/sbin LANG=C.UTF-8 PGDATA=/var/lib/postgresql/data" \
    -c 'EXPOSE 5432' -c 'ENTRYPOINT ["/usr/local/bin/docker-entrypoint.sh"]' -c 'CMD ["postgres"]' - "$1" >/dev/null
  docker run --rm --network none --entrypoint "$bin/postgres" "$1" --version >&2
}

image_is_there() { docker image inspect "$tag" >/dev/null 2>&1; }

# The packages' lists may be missing, or older than the mirror: then they are fetched, and the tag is made from the new.
prepare() {
  local hash
  if hash=$(tag_of); then
    tag=eve/postgres:$major-$hash
    if image_is_there || fetch --download-only >/dev/null; then return 0; fi
  fi
  apt_refresh
  return 1
}

again prepare
if ! image_is_there; then
  unpack
  configure
  import "$tag"
fi
echo "$tag"
