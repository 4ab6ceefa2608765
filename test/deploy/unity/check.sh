#!/usr/bin/env bash
# Compiles docs/examples/EdgeboardClient.cs with Debian's mono (mono-mcs, mono-runtime) against a stand-in for the few classes of
# Unity that it uses, and plays every status and foreign bodies to it. Not part of `npm test`: mono is 100 MB.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# mono's compiler stops at C# 7: there `using var` is a plain variable.
sed 's/using var request/var request/' "$here/../../../docs/examples/EdgeboardClient.cs" > "$out/Client.cs"
mcs -langversion:latest -out:"$out/run.exe" "$here/Unity.cs" "$out/Client.cs" "$here/Plays.cs"
mono "$out/run.exe"
