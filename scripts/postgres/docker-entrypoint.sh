#!/bin/sh
# The entry point of the test image. Takes what the official image takes: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB.
# The database is made before the server starts, so the port opens once, when all is there.
set -eu

case ${1:-postgres} in
  postgres) ;;
  -*) set -- postgres "$@" ;;
  *) exec "$@" ;;
esac
[ $# -gt 0 ] || set -- postgres

if [ "$(id -u)" = 0 ]; then
  install -d -m 0700 -o postgres -g postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi

user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

create_cluster() {
  [ -n "${POSTGRES_PASSWORD:-}" ] || {
    echo "POSTGRES_PASSWORD is missing" >&2
    exit 1
  }
  umask 077
  password=$(mktemp)
  printf '%s\n' "$POSTGRES_PASSWORD" >"$password"
  initdb --username="$user" --pwfile="$password" --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions
  rm -f "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  [ "$database" = postgres ] || create_database
}

create_database() {
  quoted=$(printf %s "$database" | sed 's/"/""/g')
  printf 'CREATE DATABASE "%s"\n' "$quoted" | postgres --single -j -c exit_on_error=on postgres >/dev/null
}

[ -s "$PGDATA/PG_VERSION" ] || create_cluster
exec "$@"
