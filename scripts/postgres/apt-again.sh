# apt-get for scripts that must not fail on a mirror's bad moment. Sourced, not run.
# shellcheck shell=bash

apt_options=(-qq -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=120)

# Old lists may do; what is installed from them decides.
apt_refresh() {
  apt-get "${apt_options[@]}" update || echo "apt: the lists of packages could not be fetched" >&2
}

apt_install() { # packages…
  apt_refresh
  DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" install -y --no-install-recommends "$@" >/dev/null
}

again() { # command…: up to three times, with pauses
  local pause
  for pause in 5 15; do
    if "$@"; then return 0; fi
    echo "failed, again in $pause s: $*" >&2
    sleep "$pause"
  done
  "$@"
}
