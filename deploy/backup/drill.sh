#!/bin/bash
# Practises the loss of a PostgreSQL server: backs a server up with pgBackRest while a Kim Phiên server writes to it,
# kills and deletes it, and restores it elsewhere. audit:ledger and audit:log check the restored data. Fails if the
# writes of more than a minute are lost. Needs pgbackrest and PostgreSQL 15. Run it in a checkout, as root or not.
#   PORT_FROM=5590 WRITE_SECONDS=75 deploy/backup/drill.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
port=${PORT_FROM:-5590}
seconds=${WRITE_SECONDS:-75}
bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
node=$(echo node_modules/node-linux-*/bin/node)
dir=$(mktemp -d -t kim-drill-XXXXXX)
# This folder is DATA_DIR below. A server that root starts switches to the owner of DATA_DIR, or if DATA_DIR is missing
# to the owner of $dir, which is PostgreSQL's user.
mkdir "$dir/data"
config=$dir/pgbackrest.conf
if [[ $(id -u) == 0 ]]; then
  chown postgres "$dir"
  as() { runuser -u postgres -- env PGBACKREST_REPO1_CIPHER_PASS=drill "$@"; }
else
  as() { env PGBACKREST_REPO1_CIPHER_PASS=drill "$@"; }
fi
server='' marker='' players=''
end() {
  for pid in $server $marker $players; do kill -9 "$pid" 2>/dev/null || true; done
  for data in "$dir/primary" "$dir/restored"; do as "$bin/pg_ctl" -D "$data" -m immediate stop >/dev/null 2>&1 || true; done
  rm -rf "$dir"
}
trap end EXIT
say() { printf '%s %s\n' "$(date -u +%T)" "$*"; }
ask() { psql -qAtX -h "$dir" -p "$1" -U drill kim -c "$2"; }

cat > "$config" <<CONF
[global]
repo1-path=$dir/repository
repo1-cipher-type=aes-256-cbc
repo1-retention-full=2
log-path=$dir
lock-path=$dir/lock
spool-path=$dir/spool
start-fast=y
log-level-console=warn
log-level-file=off
[kim]
pg1-path=$dir/primary
pg1-port=$port
pg1-socket-path=$dir
pg1-user=drill
CONF
chmod 644 "$config"
as mkdir -p "$dir/repository"

as "$bin/initdb" -D "$dir/primary" -U drill -A trust >/dev/null
sed "s|pgbackrest --stanza|pgbackrest --config=$config --stanza|" deploy/backup/postgresql.conf | as tee -a "$dir/primary/postgresql.conf" >/dev/null
as tee -a "$dir/primary/postgresql.conf" >/dev/null <<< "unix_socket_directories = '$dir'"
as "$bin/pg_ctl" -D "$dir/primary" -o "-p $port" -l "$dir/primary.log" -w start >/dev/null
createdb -h "$dir" -p "$port" -U drill kim
as pgbackrest --config="$config" --stanza=kim stanza-create
as pgbackrest --config="$config" --stanza=kim check
export DATA_DIR=$dir/data AUDIT_KEY=drill-drill-drill-drill-drill-drill-32 LOG_LEVEL=silent RATE_LIMIT_FACTOR=1000 PORT=$((port + 2)) ADMIN_PASSWORD=drill-2026
url() { echo "postgres://drill@127.0.0.1:$1/kim"; }
DATABASE_URL=$(url "$port") $node server/main.ts &
server=$!
disown
for _ in $(seq 240); do curl -fs "http://127.0.0.1:$PORT/readyz" >/dev/null && break; sleep 0.5; done
curl -fs "http://127.0.0.1:$PORT/readyz" >/dev/null
ask "$port" 'create table drill_marks (id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp())'
as pgbackrest --config="$config" --stanza=kim --type=full backup
say 'full backup made; writing'

# Notes acknowledged writes outside the database, to count those that the restored database lacks.
(while ask "$port" 'insert into drill_marks default values returning id, extract(epoch from at)' >> "$dir/acknowledged"; do sleep 0.2; done) 2>/dev/null &
marker=$!
# New accounts get points, so that the ledger changes during the drill.
(while sleep 0.5; do
  curl -fs "http://127.0.0.1:$PORT/api/v1/auth/register" -H 'content-type: application/json' \
    -d "{\"username\":\"p$RANDOM$RANDOM\",\"password\":\"drill-2026\",\"rePassword\":\"drill-2026\",\"code\":\"KIMPHIEN\"}" >/dev/null || true
done) &
players=$!
disown
sleep "$seconds"
kill -9 "$(head -1 "$dir/primary/postmaster.pid")"
sleep 2
kill -9 "$marker" "$players" "$server" 2>/dev/null || true
server='' marker='' players=''
rm -rf "$dir/primary"
say "killed and deleted after $seconds s"

began=$(date +%s)
sed -i "s|^pg1-path=.*|pg1-path=$dir/restored|; s|^pg1-port=.*|pg1-port=$((port + 1))|" "$config"
as mkdir -m 700 "$dir/restored"
as pgbackrest --config="$config" --stanza=kim restore
# A restored server would have to archive into another repository, which the drill does not have.
as "$bin/pg_ctl" -D "$dir/restored" -o "-p $((port + 1)) -c archive_mode=off" -l "$dir/restored.log" -w -t 300 start >/dev/null
until [[ $(ask $((port + 1)) 'select pg_is_in_recovery()') == f ]]; do sleep 0.2; done
say "restored in $(($(date +%s) - began)) s"

export DATABASE_URL
DATABASE_URL=$(url $((port + 1)))
books=$($node server/commands/audit-ledger.ts)
say "$books"
[[ $books != *' 0 transfers'* ]] || { say 'nobody came: the drill proves nothing'; exit 1; }
$node server/commands/audit-log.ts
$node server/commands/log-restart.ts --why RESTORED | head -1
last=$(tail -1 "$dir/acknowledged")
restored=$(ask $((port + 1)) 'select max(id), extract(epoch from max(at)) from drill_marks')
lost=$(awk -v a="${last#*|}" -v b="${restored#*|}" 'BEGIN { printf "%.1f", a - b }')
holes=$(ask $((port + 1)) 'select max(id) - count(*) from drill_marks')
say "acknowledged ${last%|*} marks, restored ${restored%|*} (holes: $holes): $lost s lost"
[[ $holes == 0 ]] || { say 'rows in between are missing'; exit 1; }
awk -v lost="$lost" 'BEGIN { exit !(lost >= 0 && lost <= 60) }' || { say 'more than a minute is lost'; exit 1; }
say 'the drill is passed'
