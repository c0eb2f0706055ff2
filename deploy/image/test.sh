#!/bin/bash
# Builds the image and starts it. The image has to be small, run as an unprivileged user, become healthy, write only to
# /data and end soon after SIGTERM. Needs root, buildah, and mmdebstrap to make the base image without a registry.
#   deploy/image/test.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
at_most_mb=250
port=${PORT:-7590}
dir=$(mktemp -d -t kim-image-XXXXXX)
say() { printf '%s %s\n' "$(date -u +%T)" "$*"; }
fail() {
  say "FAILED: $*" >&2
  [[ -f $dir/log ]] && tail -n 20 "$dir/log" >&2
  exit 1
}
# Keeps this test's images apart from the machine's. vfs needs no overlay mounts.
tool() { buildah --storage-driver vfs --root "$dir/images" --runroot "$dir/run" "$@"; }
runner=''
end() {
  [[ -n $runner ]] && kill -9 "$runner" 2>/dev/null || true
  pkill -9 -f "$dir/images" 2>/dev/null || true
  tool umount --all >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT

say 'the base …'
# Like debian:12-slim.
make_base() { mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$dir/base.tar"; }
# Tries twice, because a mirror may be unreachable for a moment.
make_base || { sleep 10 && make_base; }
base=$(tool from scratch)
tool add --quiet "$base" "$dir/base.tar" / >/dev/null
tool commit --quiet "$base" kim-phien-base >/dev/null
rm "$dir/base.tar"

say 'the release …'
deploy/image/release.sh "$dir/release" >"$dir/log" 2>&1 || fail 'no release'
say 'the image …'
tool build --isolation chroot --format docker --quiet --build-arg BASE=localhost/kim-phien-base \
  -f deploy/image/Containerfile -t kim-phien "$dir/release" >"$dir/log" 2>&1 || fail 'no image'

container=$(tool from localhost/kim-phien)
root=$(tool mount "$container")
megabytes() { du -sm "$1" | cut -f1; }
beyond=$(($(megabytes "$root") - $(megabytes "$(tool mount "$base")")))
say "$beyond MB beyond its base (bar: less than $at_most_mb)"
((beyond < at_most_mb)) || fail 'too large'
for program in gcc make npm git python3; do
  [[ -z $(find "$root" -name "$program" -type f -perm /111 | head -1) ]] || fail "$program is in the image"
done

# Reads the entry point and health check that the image declares, because `buildah run` ignores both.
tool inspect --type container "$container" >"$dir/about.json"
words() {
  node -p 'const { config } = JSON.parse(require("fs").readFileSync(process.argv[1])).Docker; eval(process.argv[2]).join("\n")' \
    "$dir/about.json" "$1"
}
mapfile -t entrypoint < <(words config.Entrypoint)
mapfile -t health < <(words config.Healthcheck.Test)
# The volume is a folder here, so that its content can be read afterwards.
mkdir -m 700 "$dir/data" && chown 10001:10001 "$dir/data"
inside() { tool run --isolation chroot --volume "$dir/data:/data" --env "PORT=$port" --env GOLD_FEED=simulated "$container" -- "$@"; }
is_healthy() { inside "${health[@]:1}" >/dev/null 2>&1; }

is_healthy && fail 'the health check passes without a server'
touch "$dir/before"
say 'its first start …'
inside "${entrypoint[@]}" >"$dir/log" 2>&1 &
runner=$!
begun=$SECONDS
until is_healthy; do
  kill -0 "$runner" 2>/dev/null || fail 'it ended'
  ((SECONDS - begun < 60)) || fail 'not healthy after 60 s'
  sleep 0.5
done
say "healthy after $((SECONDS - begun)) s"
[[ $(curl -fsS "http://127.0.0.1:$port/") == *'Kim Phiên'* ]] || fail 'the web is not served'
server=$(pgrep -u 10001 -f '^bin/node server/main.ts') || fail 'it does not run as the user 10001'

kill -TERM "$server"
begun=$SECONDS
while kill -0 "$server" 2>/dev/null; do
  ((SECONDS - begun <= 10)) || fail 'it does not end'
  sleep 0.1
done
wait "$runner" || fail "it ended with $?"
runner=''
is_healthy && fail 'the health check passes after the end'
say "ended by itself after $((SECONDS - begun)) s"

# The root file system has to work read-only.
elsewhere=$(find "$root" -newer "$dir/before" -not -type d -not -path "$root/proc/*" -not -path "$root/etc/*" | head)
[[ -z $elsewhere ]] || fail "written elsewhere: $elsewhere"
[[ $(inside bin/node -p 'fs.readdirSync("/data").length > 0') == true ]] || fail 'nothing is stored in /data'
say 'passed'
