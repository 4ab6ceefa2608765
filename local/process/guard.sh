#!/bin/sh
# Outlives the process that runs a stack, to end its components when that is killed (kill -9, a crash, a closed terminal): they
# lead process groups of their own and would run on. It reads the groups that run from its input, a line whenever they change;
# the input ends when that process does.
groups=
while read -r line; do groups=$line; done
[ "$groups" = stopped ] && exit 0
# SIGINT is the fast shutdown of Postgres, and an end like any other for the rest.
for group in $groups; do kill -s INT -- "-$group" 2>/dev/null; done
tries=0
while [ $tries -lt 50 ]; do
  alive=
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && alive="$alive $group"; done
  [ -z "$alive" ] && exit 0
  sleep 0.1
  tries=$((tries + 1))
done
for group in $alive; do kill -s KILL -- "-$group" 2>/dev/null; done
