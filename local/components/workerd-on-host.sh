#!/bin/sh
# Started by partykit (MINIFLARE_WORKERD_PATH) in place of workerd: has it listen on WORKERD_HOST instead of all interfaces.
for arg do
  shift
  case $arg in --socket-addr=entry=0.0.0.0:*) arg="--socket-addr=entry=$WORKERD_HOST:${arg##*:}" ;; esac
  set -- "$@" "$arg"
done
exec "$REAL_WORKERD" "$@"
