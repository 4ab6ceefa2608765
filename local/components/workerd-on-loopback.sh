#!/bin/sh
# Started by partykit (MINIFLARE_WORKERD_PATH) in place of workerd: has it listen on loopback instead of all interfaces.
for arg do
  shift
  case $arg in --socket-addr=entry=0.0.0.0:*) arg="--socket-addr=entry=127.0.0.1:${arg##*:}" ;; esac
  set -- "$@" "$arg"
done
exec "$REAL_WORKERD" "$@"
