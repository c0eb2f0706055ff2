import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  captureTransfer,
  closeBetTransfers,
  holdTransfer,
  stakeTransfer,
  type Transfer,
} from '#domain/ledger/transfers.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import { judgeAgain, signedIn } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { ACCOUNT_CHANGES } from '#testing/play/account-changes.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { balancesOf, createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { PAGE_ROWS } from './data-sets.ts'
import { readScope, writeArchive } from './write-archive.ts'

/** More than two pages. */
const BETS = 2 * PAGE_ROWS + 300
/** So many that their archive is a few times what the buffers of its streams take (about 230 KB; Node's are 64 KiB). */
const MORE_BETS_THAN_FIT = (inject('isFull') ? 9 : 4) * PAGE_ROWS
const STAKE = 10_00n

/** Judges a reader who stays signed in. */
const admitted = () => Promise.resolve(null)

type Json = Readonly<Record<string, unknown>>

/** The files of a ZIP by name, by its central directory (APPNOTE.TXT 4.3.12); each is checked against its CRC-32. */
function unzip(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0) throw new Error('The ZIP has no end')
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)]
    const nameChars = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = inflateRawSync(zip.subarray(start, start + size))
    expect(crc32(bytes)).toBe(crc)
    files.set(zip.toString('utf8', at + 46, at + 46 + nameChars), bytes.toString('utf8'))
    at += 46 + nameChars + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

const rowsOf = (files: Map<string, string>, name: string) => JSON.parse(files.get(`${name}.json`) ?? '') as Json[]
/** Cells that hold no comma, without the head. */
const cellsOf = (files: Map<string, string>, name: string) =>
  (files.get(`${name}.csv`) ?? '')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','))
/** Points as minor units: no sum of fractions. */
const minor = (points: unknown) => BigInt(Math.round(Number(points) * 100))
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine)
  let app: TestApp
  let player: TestPlayer
  let stranger: TestPlayer
  beforeEach(async () => {
    app = await buildTestApp(db)
    ;[player, stranger] = await createPlayers(db, 2)
  })
  afterEach(() => app.close())

  const bearerOf = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)
  const ask = async (who: TestPlayer, from: TestApp = app) => {
    const { statusCode, rawPayload, headers } = await from.http.inject({
      method: 'GET',
      url: '/api/v1/user/data-export',
      headers: { authorization: who.bearer },
    })
    return { statusCode, rawPayload, headers }
  }
  const archiveOf = async (who: TestPlayer) => {
    const { statusCode, rawPayload } = await ask(who)
    expect(statusCode).toBe(200)
    return unzip(rawPayload)
  }

  /** Bets with their transfers: every third lost, every third won, every third returned; the last `open` ones run. */
  async function bet(who: TestPlayer, count: number, open = 0): Promise<void> {
    const round = await createRound(db)
    const made = Array.from({ length: count }, (_, at) => ({
      id: newId(),
      profit: at >= count - open ? null : ([-50n, 50n, 0n][at % 3] ?? 0n),
    }))
    const transfers = made.flatMap(({ id, profit }): Transfer[] => [
      stakeTransfer(id, who.id, STAKE),
      ...(profit === null ? [] : closeBetTransfers(id, who.id, STAKE, profit)),
    ])
    await db.tx(async (tx) => {
      await tx.query(
        `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status,
           void_reason, entry_price, exit_price, profit, settled_at, salt)
         select id, $2, $3, 'up', $4, 'PRICE', 'PRICE', clock_timestamp(), 1,
                case when profit is null then 'open' when profit > 0 then 'won' when profit < 0 then 'lost' else 'voided' end,
                case when profit = 0 then 'TIE' end, 4132114, 4132115, profit,
                case when profit is not null then clock_timestamp() end, decode(md5(id::text), 'hex')
           from unnest($1::uuid[], $5::bigint[]) as b (id, profit)`,
        [made.map(({ id }) => id), who.id, round.id, STAKE, made.map(({ profit }) => profit)],
      )
      for (let from = 0; from < transfers.length; from += 1500)
        await postTransfers(tx, transfers.slice(from, from + 1500), Date.now())
    })
  }

  test('bets and ledger of several pages are whole, and add up to the balance in JSON and in CSV', async () => {
    await bet(player, BETS, 1)
    await bet(stranger, 5)
    const files = await archiveOf(player)
    const balance = (await balancesOf(db, player.id)).wallet
    expect(minor(rowsOf(files, 'profile')[0]?.['balance'])).toBe(balance)

    const ledger = rowsOf(files, 'ledger')
    expect(sum(ledger.map(({ delta }) => minor(delta)))).toBe(balance)
    expect(ledger.map(({ position }) => position)).toEqual(ledger.map((_, at) => at + 1))
    expect(sum(cellsOf(files, 'ledger').map((cells) => minor(cells[3])))).toBe(balance)

    // By name where a user did it; the settlement of a bet is the system's.
    expect(new Set(ledger.map(({ actor }) => actor))).toEqual(new Set([player.username, 'system']))

    const bets = rowsOf(files, 'bets')
    expect([bets.length, new Set(bets.map(({ id }) => id)).size, cellsOf(files, 'bets').length]).toEqual([
      BETS,
      BETS,
      BETS,
    ])
    const openStakes = sum(bets.flatMap(({ status, stake }) => (status === 'open' ? [minor(stake)] : [])))
    const profits = sum(bets.flatMap(({ profit }) => (profit === null ? [] : [minor(profit)])))
    const ofBets = ledger.filter(({ ref }) => String(ref).startsWith('bet:'))
    expect(sum(ofBets.map(({ delta }) => minor(delta)))).toBe(profits - openStakes)
    expect(openStakes).toBe(STAKE)
  })

  test('is of the moment when it began, whatever is booked while it is read', async () => {
    await bet(player, 30, 1)
    const [held, taken] = [newId(), newId()]
    await db.tx((tx) => postTransfers(tx, [holdTransfer(held, player.id, 3_00n)], Date.now()))
    const before = await archiveOf(player)
    const had = await balancesOf(db, player.id)
    const scope = await readScope(db, player.id)
    if (scope === null) throw new Error('no wallet')
    // The open bet is closed, more are placed, one withdrawal is paid and another one filed.
    const { rows } = await db.query<{ id: string }>(`select id from bets where user_id = $1 and status = 'open'`, [
      player.id,
    ])
    await db.tx(async (tx) => {
      await tx.query(`update bets set status = 'won', profit = 50, settled_at = clock_timestamp() where id = $1`, [
        rows[0]?.id ?? '',
      ])
      await postTransfers(tx, closeBetTransfers(rows[0]?.id ?? '', player.id, STAKE, 50n), Date.now())
    })
    await bet(player, 20)
    const withdrawals = [captureTransfer(held, player.id, 3_00n, 'system'), holdTransfer(taken, player.id, 7_00n)]
    await db.tx((tx) => postTransfers(tx, withdrawals, Date.now()))
    const after = unzip(await buffer(writeArchive(db, scope, admitted, () => {})))
    for (const name of ['bets', 'ledger']) expect(rowsOf(after, name)).toEqual(rowsOf(before, name))
    expect(rowsOf(after, 'profile')[0]?.['balance']).toEqual(rowsOf(before, 'profile')[0]?.['balance'])
    const balances = [had.wallet, had.staked, had.reserved]
    expect(balances.slice(1)).toEqual([STAKE, 3_00n])
    const inJson = rowsOf(after, 'profile').map(({ balance, staked, reserved }) =>
      [balance, staked, reserved].map(minor),
    )
    expect(inJson).toEqual([balances])
    expect(cellsOf(after, 'profile').map((cells) => cells.slice(3, 6).map(minor))).toEqual([balances])
  })

  test('has nothing of anybody else, no secret, and no cell that begins a formula', async () => {
    await bet(stranger, 2)
    for (const [owner, name] of [
      [player, '=HYPERLINK("http://x";"y")'],
      [stranger, 'NGUOI LA'],
    ] as const)
      await db.query(
        `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, '0123456', $3, 'VCB')`,
        [newId(), owner.id, name],
      )
    const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'ad' })
    const conversations = [newId(), newId()]
    for (const [at, owner] of [player, stranger].entries()) {
      await db.query(`insert into conversations (id, player_id, holder_id, last_seq) values ($1, $2, $3, 2)`, [
        conversations[at] ?? '',
        owner.id,
        admin.id,
      ])
      for (const [seq, sender, text] of [
        [1, owner.id, `@hoi cua ${owner.username}`],
        [2, admin.id, `tra loi ${owner.username}`],
      ] as const)
        await db.query(
          `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key)
           values ($1, $2, $3, $4, $5, 'text', $6, '')`,
          [conversations[at] ?? '', seq, newId(), sender, newId(), text],
        )
    }
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, file_key)
       values ($1, 5, $2, $3, $4, 'text', '[tệp: sao kê.pdf]', '', 'a.pdf')`,
      [conversations[0] ?? '', newId(), player.id, newId()],
    )
    // What staff took back, and what the player changed (rules §7.15).
    const changes = [
      [3, admin.id, 'RUT LAI KIN', null],
      [4, player.id, 'BAN DAU', 'ban sua'],
    ] as const
    for (const [seq, sender, text, now] of changes)
      await db.query(
        `with sent as (insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key)
           values ($1, $2, $3, $4, $5, 'text', $6, '') returning id)
         insert into message_changes (message_id, id, conversation_id, content, search_key, changed_at)
         select id, $7, $1, $8, '', clock_timestamp() from sent`,
        [conversations[0] ?? '', seq, newId(), sender, newId(), text, newId(), now],
      )
    await db.query(
      `insert into notices (id, user_id, kind, ref, created_at) values ($1, $2, 'limit', 'stake', clock_timestamp())`,
      [newId(), player.id],
    )
    for (const [at, owner] of [player, stranger].entries())
      await db.query(
        `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at, status, answer, answer_salt,
           answered_by, answered_at, correction)
         values ($1, $2, $3, $4, $5, decode(repeat('01', 16), 'hex'), clock_timestamp(), 'upheld', 'dung vay',
           decode(repeat('02', 16), 'hex'), $6, clock_timestamp(), 150)`,
        [newId(), newId(), owner.id, conversations[at] ?? '', `gia sai ${owner.username}`, admin.id],
      )
    // What staff noted about a player is not theirs to read (rules §4.9).
    await db.query(`insert into staff_notes (id, user_id, author_id, text) values ($1, $2, $3, 'GHI CHU KIN')`, [
      newId(),
      player.id,
      admin.id,
    ])
    // Nor what they noted in a conversation (rules §7.14).
    await db.query(
      `insert into conversation_notes (id, conversation_id, author_id, content, mentions) values ($1, $2, $3, 'GHI CHU NOI BO', '{}')`,
      [newId(), conversations[0] ?? '', admin.id],
    )
    const files = await archiveOf(player)
    expect([...files.keys()].toSorted()).toEqual(
      [
        'README.txt',
        ...[
          'banks',
          'bets',
          'disputes',
          'ledger',
          'limits',
          'messages',
          'notices',
          'profile',
          'requests',
          'sessions',
        ].flatMap((name) => [`${name}.csv`, `${name}.json`]),
      ].toSorted(),
    )
    const all = [...files.values()].join('\n')
    for (const foreign of [
      stranger.id,
      stranger.username,
      'NGUOI LA',
      'GHI CHU KIN',
      'GHI CHU NOI BO',
      'RUT LAI KIN',
      admin.id,
      '$argon2',
      'secret',
      'hash',
    ])
      expect(all).not.toContain(foreign)
    expect(rowsOf(files, 'banks')).toMatchObject([{ accountHolder: '=HYPERLINK("http://x";"y")' }])
    expect(files.get('banks.csv')).toContain(`"'=HYPERLINK(""http://x"";""y"")"`)
    expect(rowsOf(files, 'messages').map(({ sender, kind, content }) => [sender, kind, content])).toEqual([
      [player.username, 'text', `@hoi cua ${player.username}`],
      [admin.username, 'text', `tra loi ${player.username}`],
      [admin.username, 'retracted', ''],
      [player.username, 'text', 'ban sua'],
      [player.username, 'file', '[tệp: sao kê.pdf]'],
    ])
    expect(files.get('messages.csv')).toContain(`,'@hoi cua`)
    expect(rowsOf(files, 'disputes')).toMatchObject([
      {
        text: `gia sai ${player.username}`,
        salt: Buffer.alloc(16, 1).toString('base64'),
        status: 'upheld',
        answer: 'dung vay',
        answerSalt: Buffer.alloc(16, 2).toString('base64'),
        correction: 1.5,
      },
    ])
    expect(rowsOf(files, 'sessions')).toMatchObject([{ id: player.token.sessionId, endedAt: null }])
    expect(rowsOf(files, 'limits')).toEqual([])
    expect(rowsOf(files, 'notices')).toMatchObject([{ kind: 'limit', ref: 'stake', isRead: false }])
    expect(all).toContain('Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.')
    // A raise counts from its time on, though its row says so only after the next save.
    await db.query(
      `insert into player_limits (user_id, daily_stake, daily_loss, pending_daily_stake, pending_daily_loss, pending_from)
       values ($1, 10000, 5000, 20000, 5000, clock_timestamp() - interval '1 s')`,
      [player.id],
    )
    await db.query(`insert into notice_marks (user_id, read_through) values ($1, clock_timestamp())`, [player.id])
    const later = await archiveOf(player)
    const due = { dailyStake: 200, dailyLoss: 50, pendingDailyStake: null, pendingFrom: null }
    expect(rowsOf(later, 'limits')).toMatchObject([due])
    expect(rowsOf(later, 'notices')).toMatchObject([{ isRead: true }])
    // Staff get their own account, and not their customers' conversations.
    expect(rowsOf(await archiveOf(admin), 'messages')).toEqual([])
  })

  test('is answered as a file that no shared cache keeps', async () => {
    const { headers } = await ask(player)
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="kim-phien-${player.username}.zip"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('one at a time for an account, whatever others do; the next may follow', async () => {
    await bet(player, PAGE_ROWS)
    const [other, ...own] = await Promise.all([ask(stranger), ask(player), ask(player)])
    expect(other.statusCode).toBe(200)
    expect(own.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429])
    expect(own.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('10')
    expect((await ask(player)).statusCode).toBe(200)
  })

  test('five an hour for an account, then 429 with the time to wait', async () => {
    const strict = await buildTestApp(db, { settings: { rateLimitFactor: 1 } })
    for (let times = 0; times < 5; times++) expect((await ask(player, strict)).statusCode).toBe(200)
    const { statusCode, headers } = await ask(player, strict)
    expect(statusCode).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500)
    expect((await ask(stranger, strict)).statusCode).toBe(200)
    await strict.close()
  })

  test('never more than a page of rows is read at once, and a reader that waits holds the next page back', async () => {
    await bet(player, MORE_BETS_THAN_FIT)
    const scope = await readScope(db, player.id)
    if (scope === null) throw new Error('no wallet')
    const read: number[] = []
    const counted: Database = {
      ...db,
      query: async (...call) => {
        const answer = await db.query(...call)
        read.push(answer.rows.length)
        return answer as never
      },
    }
    const zip = writeArchive(counted, scope, admitted, () => {})
    await once(zip, 'readable')
    // Until it stops by itself.
    let pagesBefore = -1
    while (read.length > pagesBefore) {
      pagesBefore = read.length
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    const whileWaiting = sum(read.map(BigInt))
    await buffer(zip)
    expect(Math.max(...read)).toBe(PAGE_ROWS)
    expect(whileWaiting).toBeLessThan(sum(read.map(BigInt)) / 2n)
  })

  test('a client that goes away frees its place; a failure in the middle breaks the file off', async () => {
    await bet(player, BETS)
    const scope = await readScope(db, player.id)
    if (scope === null) throw new Error('no wallet')
    await new Promise<void>((ended) => {
      const zip = writeArchive(db, scope, admitted, ended)
      zip.once('readable', () => zip.destroy())
    })
    let queries = 0
    const failing: Database = {
      ...db,
      query: (...call) =>
        queries++ < 5 ? (db.query(...call) as never) : Promise.reject(new Error('The database is gone')),
    }
    let hasEnded = false
    const zip = writeArchive(failing, scope, admitted, () => void (hasEnded = true))
    await expect(buffer(zip)).rejects.toThrow('The database is gone')
    expect(hasEnded).toBe(true)
  })

  test.each(ACCOUNT_CHANGES)(
    'whoever is %s while the file is written reads no further, unless frozen',
    async (_, change, code) => {
      await bet(player, MORE_BETS_THAN_FIT)
      const scope = await readScope(db, player.id)
      const subject = (await signedIn(db, player.token))?.subject ?? null
      if (scope === null || subject === null) throw new Error('no player')
      const judge = () => judgeAgain(db, { access: 'own-data' }, subject)
      const zip = writeArchive(db, scope, judge, () => {})
      await once(zip, 'readable')
      await db.query(change, [player.id])
      if (code === 'ACCOUNT_PAUSED') expect(unzip(await buffer(zip)).size).toBeGreaterThan(10)
      else await expect(buffer(zip)).rejects.toMatchObject({ code })
    },
  )

  test('the call needs a session', async () => {
    expect((await app.call('GET', '/api/v1/user/data-export', { token: `${bearerOf(player)}x` })).status).toBe(401)
  })
})
