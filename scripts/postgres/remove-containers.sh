#!/usr/bin/env bash
# Removes the containers of one run of the tests, and those of CI runs that ended without doing so.
# Usage: remove-containers.sh RUN. RUN is what EVE_TEST_RUN was; a CI run's is ci-PROCESS-TIME.
set -euo pipefail

remove() { # run
  local ids
  ids=$(docker ps -aq --filter "label=eve.test-run=$1")
  # shellcheck disable=SC2086
  [ -z "$ids" ] || docker rm -fv $ids >/dev/null
}

is_over() { # run
  local process=${1#ci-}
  [ "$1" != "$process" ] && ! [ -d "/proc/${process%%-*}" ]
}

command -v docker >/dev/null || exit 0
remove "$1"
docker ps -a --filter label=eve.test-run --format '{{.Label "eve.test-run"}}' | sort -u |
  while read -r run; do if is_over "$run"; then remove "$run"; fi; done
