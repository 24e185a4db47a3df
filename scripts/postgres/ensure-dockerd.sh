#!/usr/bin/env bash
# Makes sure that a Docker engine answers, without systemd: installs Debian's where there is none, and starts it. An
# engine that answers already is left alone.
# Usage: ensure-dockerd.sh. EVE_DOCKERD_LOG names the log of an engine started here.
set -euo pipefail

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # dockerd and iptables
log=${EVE_DOCKERD_LOG:-/var/log/eve-dockerd.log}
patience=120 # seconds

say() { echo "docker: $*"; }
fail() {
  say "$*" >&2
  exit 1
}
answers() { timeout 10 docker info >/dev/null 2>&1; }

install_engine() {
  command -v dockerd >/dev/null && command -v docker >/dev/null && return
  [ "$(id -u)" = 0 ] || fail "no engine is installed, and only root can install one"
  command -v apt-get >/dev/null || fail "no engine is installed, and there is no apt-get to install one"
  # shellcheck source=apt-again.sh
  . "$(dirname "$0")/apt-again.sh"
  again apt_install docker.io
  hash -r
}

# An engine that was killed leaves its pid file, and the next one refuses to start when the number is in use again.
drop_stale_pid() { # file, program
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] &&
    ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null; then return 0; fi
  rm -f "$1"
}

start_engine() {
  drop_stale_pid /var/run/docker.pid dockerd
  drop_stale_pid /var/run/docker/containerd/containerd.pid containerd
  setsid nohup dockerd >"$log" 2>&1 </dev/null &
  engine=$!
}

wait_for_engine() {
  local deadline=$((SECONDS + patience))
  until answers; do
    kill -0 "$engine" 2>/dev/null || fail "dockerd ended; its log: $(tail -n 20 "$log")"
    [ "$SECONDS" -lt "$deadline" ] || fail "no answer after $patience s; the log: $(tail -n 20 "$log")"
    sleep 0.2
  done
}

# To the scheduler all containers are one group, which by default weighs what a single process outside weighs: on a busy
# machine a server in there, with all its workers, gets so little that its clients run out of time. So it weighs 16.
weigh_containers() {
  local root=/sys/fs/cgroup file weight
  if [ -e "$root/cpu/cpu.shares" ]; then
    file=$root/cpu/docker/cpu.shares weight=$((16 * 1024))
  else
    file=$root/docker/cpu.weight weight=$((16 * 100))
    echo +cpu 2>/dev/null >"$root/cgroup.subtree_control" || true
  fi
  { mkdir -p "${file%/*}" && echo "$weight" >"$file"; } 2>/dev/null ||
    say "containers keep the weight of one process ($file cannot be written)"
}

if command -v docker >/dev/null && answers; then
  say "an engine answers already"
  exit 0
fi
# Another machine's engine, or a user's own, is theirs to start.
[ -z "${DOCKER_HOST:-}" ] || fail "DOCKER_HOST=$DOCKER_HOST does not answer"
install_engine
[ "$(id -u)" = 0 ] || fail "only root can start the engine: start it, or add yourself to the group docker"
start_engine
wait_for_engine
weigh_containers
say "started, process $engine"
