#!/bin/bash
# Copies the newest backup to OFFSITE and keeps the copies of 60 days there. 30 days after the last rehearsal, or a day
# after a failed one, fetches the newest copy back and restores it into a temporary folder. `npm run doctor` and
# /admin/system show the last rehearsal. kim-phien-offsite.timer runs this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Exported because the rehearsal reads DATA_DIR, too.
export DATA_DIR=${DATA_DIR:-/var/lib/kim-phien}
data=$DATA_DIR
backups=${BACKUP_DIR:-$data/backups}
place=${OFFSITE:?a remote of rclone, such as offsite:kim-phien}
node=$(echo node_modules/node-linux-*/bin/node)

# A backup that is still being written has another ending, and an operator's own file another name.
ours='kim-phien-[0-9]*.backup'
newest=$({ find "$backups" -maxdepth 1 -name "$ours" -printf '%f\n' 2>/dev/null || true; } | sort | tail -n 1)
[[ -n $newest ]] || { echo "There is no backup in $backups: is BACKUP_EVERY set?" >&2; exit 1; }
rclone copyto "$backups/$newest" "$place/$newest"
# If backups fail, there is no copy of the last day, and OFFSITE must not be emptied.
if [[ -n $(rclone lsf --include "$ours" --max-age 1d "$place") ]]; then
  rclone delete --include "$ours" --min-age 60d "$place"
fi

if [[ -n $(find "$data/restore-rehearsed" -mtime -30 2>/dev/null) ]]; then exit 0; fi
if [[ -n $(find "$data/restore-rehearsal-failed" -mtime -1 2>/dev/null) ]]; then exit 0; fi
# /tmp may be in memory, so the rehearsal uses the folder of the backups, or if this script may not write there, the
# default folder in DATA_DIR.
room=$backups
[[ -w $room ]] || { room=$data/backups && mkdir -p "$room"; }
rm -rf "$room"/rehearsal-*
# What fails below is tried again after a day, and told by the doctor.
trap 'touch "$data/restore-rehearsal-failed"' ERR
# A full disk ends the server, so the copy is fetched only where it, the unpacked data and the log (128 MB) have room.
needed=$({ du -sbc "$data"/{pg,uploads} "$backups/$newest" 2>/dev/null || true; } | tail -n 1 | cut -f 1)
needed=$((needed + 128000000))
free=$(df --output=avail -B 1 "$room" | tail -n 1)
if ((free < needed)); then
  echo "Nothing was rehearsed: $room has $((free / 1000000)) MB free, and $((needed / 1000000)) MB are needed." >&2
  false
fi
TMPDIR=$(mktemp -d "$room/rehearsal-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
rclone copyto "$place/$newest" "$TMPDIR/$newest"
"$node" server/commands/restore.ts --rehearse --from "$TMPDIR/$newest"
