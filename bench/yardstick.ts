import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Database } from '#server/platform/database/db.ts'
import { ROUND_ID, secretHashSql, sessionIdSql, STAKE_POINTS, userIdSql } from './world.ts'

const run = promisify(execFile)

/**
 * A database function that does the work of one accepted bet: it locks round, user, session and accounts in order, then
 * reads the clock, looks up the key and limits, checks every rule of the bet, and writes bet, transfer, balances
 * and the key's answer. No player of the benchmark has limits.
 */
const PLACE_BET = `create function bench.place_bet(p_n bigint, p_bet bigint, p_round uuid)
returns text language plpgsql as $$
declare
  v_user uuid := ${userIdSql('p_n')};
  v_session uuid := ${sessionIdSql('p_n')};
  v_hash bytea := ${secretHashSql('p_n')};
  v_bet uuid := lpad(to_hex(p_bet), 32, '0')::uuid;
  v_stake bigint := ${STAKE_POINTS}00;
  r rounds;
  u users;
  s sessions;
  a record;
  v_wallet bigint; v_balance bigint; v_count bigint;
  v_staked bigint; v_open bigint;
  v_now timestamptz;
  v_basis text;
  v_answer jsonb;
begin
  select * into r from rounds where id = p_round for share;
  select * into u from users where id = v_user for share;
  select * into s from sessions where id = v_session for share;
  for a in select id, kind, balance, transfer_count from ledger_accounts where owner_id = v_user order by id for update
  loop
    if a.kind = 'wallet' then
      v_wallet := a.id; v_balance := a.balance; v_count := a.transfer_count;
    elsif a.kind = 'staked' then
      v_staked := a.id; v_open := a.balance;
    end if;
  end loop;
  select answer into v_answer from idempotency_keys
    where user_id = v_user and route = 'place-bet' and key = 'key-' || p_bet;
  if found then return v_answer::text; end if;
  perform 1 from player_limits where user_id = v_user;
  if found then return 'LIMITS'; end if;
  v_now := clock_timestamp();
  if u.id is null or u.deleted_at is not null or s.id is null or s.user_id <> v_user or s.ended_at is not null
    or s.expires_at <= v_now or s.secret_hash <> v_hash then return 'UNAUTHORIZED'; end if;
  if u.must_change_password then return 'MUST_CHANGE_PASSWORD'; end if;
  if u.role = 'admin' then return 'STAFF_CANNOT_PLAY'; end if;
  if u.is_frozen then return 'ACCOUNT_PAUSED'; end if;
  if r.id is null or r.deleted_at is not null or v_now < r.opens_at then return 'ROUND_NOT_FOUND'; end if;
  if r.status <> 'running' or v_now >= r.locks_at then return 'ROUND_CLOSING'; end if;
  if v_stake <= 0 or v_stake % 100 <> 0 then return 'STAKE_INVALID'; end if;
  if v_stake < 100 or v_stake > 10000000 then return 'AMOUNT_LIMIT'; end if;
  if v_open > 0 then return 'BET_OPEN'; end if;
  if v_balance < v_stake then return 'INSUFFICIENT_BALANCE'; end if;
  v_basis := case when u.scripted_outcome is not null then 'SCRIPTED' when r.staff_direction is not null then 'ADMIN'
    else 'PRICE' end;
  if v_basis <> 'PRICE' then return 'DISCLOSURE_CHANGED'; end if;
  insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, scripted_outcome, accepted_at, entry_from, salt)
    values (v_bet, v_user, p_round, 'up', v_stake, v_basis, v_basis, null, v_now,
      floor(extract(epoch from v_now))::bigint + 1, decode(md5(v_bet::text), 'hex'));
  insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, note, created_at,
      wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
    values ('bet:' || v_bet || ':stake', v_wallet, v_staked, v_stake, 'BET_STAKE', v_user::text, 'bet:' || v_bet, null,
      v_now, v_wallet, v_count + 1, -v_stake, v_balance - v_stake);
  update ledger_accounts set balance = balance - v_stake, transfer_count = transfer_count + 1 where id = v_wallet;
  update ledger_accounts set balance = balance + v_stake, transfer_count = transfer_count + 1 where id = v_staked;
  v_answer := jsonb_build_object('_id', v_bet, 'userId', jsonb_build_object('_id', u.id, 'username', u.username),
    'gameId', jsonb_build_object('_id', r.id, 'turnNumber', r.index + 1, 'gameType', r.type), 'value', 'UP',
    'score', v_stake / 100, 'status', 'PROGRESS', 'basis', v_basis,
    'entryFrom', to_timestamp(floor(extract(epoch from v_now)) + 1), 'entryAt', null, 'entryPrice', null,
    'exitPrice', null, 'profit', null, 'voidReason', null, 'endTime', r.closes_at, 'settledAt', null,
    'createdAt', v_now, 'serverTime', v_now);
  insert into idempotency_keys (user_id, route, key, input_hash, answer, created_at)
    values (v_user, 'place-bet', 'key-' || p_bet, v_hash, v_answer, v_now);
  return v_answer::text;
end $$`

export async function makeYardstick(db: Database): Promise<void> {
  await db.query('create schema bench')
  await db.query(PLACE_BET)
}

/**
 * Returns the bets per second that pgbench reaches with one prepared function call per bet. Each player bets once, with
 * any remainder of players per client left out.
 */
export async function runYardstick(url: string, players: number, clients = 32): Promise<number> {
  const each = Math.floor(players / clients)
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const script = join(folder, 'place-bet.sql')
  writeFileSync(
    script,
    `\\set i :i + 1
\\set n permute(:client_id * ${each} + :i - 1, ${each * clients}, 7) + 1
\\set bet :i * 256 + :client_id
select bench.place_bet(:n, :bet, '${ROUND_ID}'::uuid);
`,
  )
  try {
    const { stdout } = await run('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-t', String(each), '-D', 'i=0', '-f', script, url],
    ])
    const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench said something else: ${stdout}`)
    return Number(rate)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
