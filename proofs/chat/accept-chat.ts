/**
 * The proofs of chat: two server processes behind a TCP proxy, on PostgreSQL (TEST_DATABASE_URL) and Redis (REDIS_URL).
 * Each reader and writer uses the chat session of the product's own pages, without a screen. Prints a line for each
 * proof and exits with 1 when one fails. `npm run accept:chat -- 1 5` runs these alone; `--short` runs those without a
 * long wait at a twentieth of their size, on one pair of processes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/platform/database/db.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { chatEndpoints } from '#contract/chat.ts'
import { totalUnread } from '#domain/chat/timeline.ts'
import { bareToken, type ChatClient, openChatClient, openSockets } from '#testing/app/chat-client.ts'
import { makeForgeries, PRIVATE_EVENTS } from '#testing/attack/chat-forgeries.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { hostileFiles } from '#testing/attack/hostile-files.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { makeConversations, threadOf } from './conversations.ts'
import { waitFor } from '#testing/time/until.ts'
import { dayOfCare } from './day-of-care.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type ChatPage, type Device, openChatPage, type PagePlayer, setOrigin } from './page.ts'
import type { SwarmOrder, SwarmReport } from './swarm.ts'

const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'
const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379/5'
/** The fraction of each proof's size, for a slow machine or a quick run. */
const isShort = process.argv.includes('--short')
const scale = Number(process.env['ACCEPT_SCALE'] ?? (isShort ? '0.05' : '1'))
/**
 * A short run proves counts only: on a busy machine its times mean nothing, so its time limits are ten times as long.
 */
const patience = isShort ? 10 : 1
const named = process.argv.slice(2).map(Number).filter(Number.isInteger)
const wished = isShort && named.length === 0 ? [1, 2, 3, 4, 5, 6, 7, 10, 12] : named

const times = (count: number): number => Math.max(1, Math.round(count * scale))
const cut = (list: readonly number[], part: number): number =>
  Math.round(list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0)

let failures = 0
function report(proof: number, facts: Readonly<Record<string, unknown>>, isRight: boolean): void {
  if (!isRight) failures++
  const words = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`)
  process.stdout.write(`${isRight ? 'OK  ' : 'FAIL'} ${String(proof).padStart(2)}  ${words.join(' · ')}\n`)
}

interface World {
  readonly db: Database
  readonly fleet: Fleet
  readonly env: Readonly<Record<string, string>>
}

const pages = new Set<ChatPage>()
function openPage(fleet: Fleet, player: PagePlayer, device?: Device): ChatPage {
  const one = openChatPage(fleet.url, player, device)
  pages.add(one)
  return one
}
async function connectAll(list: readonly ChatPage[]): Promise<void> {
  for (let at = 0; at < list.length; at += 100) {
    for (const one of list.slice(at, at + 100)) one.connect()
    if ((await waitFor(() => list.slice(0, at + 100).every((one) => one.isConnected()), 60_000)) === null)
      throw new Error('Not every client could connect')
  }
}
const sockets = new Set<ChatClient>()
async function openAll(fleet: Fleet, players: readonly PagePlayer[]): Promise<ChatClient[]> {
  const opened = await openSockets(fleet.url, players)
  for (const one of opened) sockets.add(one)
  return opened
}
function closeAll(): void {
  for (const one of [...pages, ...sockets]) one.close()
  pages.clear()
  sockets.clear()
}

const peopleOf = async (db: Database, players: number, admins: number) => ({
  players: await createPlayers(db, players, { welcomePoints: 0 }),
  admins: await createPlayers(db, admins, { role: 'admin', prefix: 'a', welcomePoints: 0 }),
})

/** Counts the stored messages of these senders, their tempIds and the gaps in their seqs. */
async function countStored(db: Database, senders: readonly string[]) {
  const { rows } = await db.query<{ stored: bigint; ids: bigint; holes: bigint; unordered: bigint }>(
    `select count(*) as stored, count(distinct (sender_id, client_id)) as ids,
        (select count(*) from (select last_seq, (select count(*) from messages m where m.conversation_id = c.id) as n
          from conversations c) t where n <> last_seq) as holes,
        (select count(*) from (select content::int as n, lag(content::int) over (partition by sender_id order by seq) as before
          from messages where sender_id = any($1::uuid[]) and content ~ '^[0-9]+$') t where n < before) as unordered
       from messages where sender_id = any($1::uuid[])`,
    [senders],
  )
  const row = rows[0]
  return {
    stored: Number(row?.stored),
    ids: Number(row?.ids),
    holes: Number(row?.holes),
    unordered: Number(row?.unordered),
  }
}

const proofs: Readonly<Record<number, (world: World) => Promise<void>>> = {
  async 1({ db, fleet }) {
    const [people, each, forMs] = [times(200), 100, 30_000 * Math.min(1, scale * 2)]
    const { players, admins } = await peopleOf(db, people, 10)
    const conversations = await makeConversations(db, players, admins)
    const list = players.map((player) => openPage(fleet, player))
    await connectAll(list)
    let isOver = false
    let kills = 0
    const killing = (async () => {
      const untilMs = performance.now() + forMs
      while (!isOver && performance.now() < untilMs) {
        await sleep(2_000)
        if (!isOver && fleet.killOne()) kills++
      }
    })()
    const startedMs = performance.now()
    await Promise.all(
      list.map(async (one, index) => {
        for (let n = 0; n < each; n++) {
          // Without a connection the composer is disabled, and a person waits for it.
          await waitFor(() => one.session.sendText(conversations[index] as string, `${n}`), 120_000)
          // A person sends the next message after the one before is confirmed: that is the order to verify.
          await waitFor(() => one.unconfirmed() === 0, 120_000)
          const dueMs = ((n + 1) * forMs) / each
          await sleep(Math.max(0, dueMs - (performance.now() - startedMs)))
        }
      }),
    )
    isOver = true
    await killing
    const ids = players.map(({ id }) => id)
    const { stored, ids: unique, holes, unordered } = await countStored(db, ids)
    const lost = people * each - unique
    const facts = { sent: people * each, stored, lost, double: stored - unique, unordered, holes, kills }
    report(
      1,
      { ...facts, s: Math.round((performance.now() - startedMs) / 1000) },
      lost === 0 && stored === unique && unordered === 0 && holes === 0,
    )
  },

  async 2({ db, fleet }) {
    const [people, forMs] = [times(200), 30_000 * Math.min(1, scale * 2)]
    const { players, admins } = await peopleOf(db, people, 5)
    const conversations = await makeConversations(db, players, admins)
    const receivers = players.map((player) => openPage(fleet, player))
    const writers = admins.map((admin) => openPage(fleet, admin))
    await connectAll([...receivers, ...writers])
    const startedMs = performance.now()
    let sent = 0
    let kills = 0
    let nextCutMs = 1_000
    const total = (forMs / 1000) * 50
    for (let goneMs = 0; goneMs < forMs || sent < total; goneMs = performance.now() - startedMs) {
      while (sent < Math.min(total, (goneMs / 1000) * 50)) {
        const index = sent % people
        const { session } = writers[index % writers.length] as ChatPage
        // Without a connection the composer is disabled: the next turn tries again.
        if (!session.sendText(conversations[index] as string, `n${sent}`)) break
        sent += 1
      }
      if (goneMs > nextCutMs && goneMs < forMs) {
        nextCutMs += 1_000
        fleet.cut(0.3)
      }
      if (kills < Math.floor((goneMs / forMs) * 3) && kills < 2 && fleet.killOne()) kills++
      await sleep(20)
    }
    await waitFor(() => writers.every((one) => one.unconfirmed() === 0), 60_000)
    await waitFor(() => receivers.every((one) => one.isConnected()), 60_000)
    // Measured from the later of two moments: the last reconnect, and the confirmation of the last message.
    const lastMs = Math.max(performance.now() - 50, ...receivers.map((one) => one.connectedAtMs()))
    const { rows } = await db.query<{ id: string; seqs: number[] }>(
      `select conversation_id as id, array_agg(seq order by seq) as seqs from messages where conversation_id = any($1::uuid[]) group by 1`,
      [conversations],
    )
    const truth = new Map(rows.map(({ id, seqs }) => [id, seqs.join()]))
    const seqsOf = (one: ChatPage, id: string) => threadOf(one, id)?.messages.map(({ seq }) => seq) ?? []
    const wrong = () =>
      receivers.filter((one, index) => {
        const id = conversations[index] as string
        return seqsOf(one, id).join() !== (truth.get(id) ?? '')
      }).length
    await waitFor(() => wrong() === 0, 10_000 * patience)
    const equalMs = Math.round(performance.now() - lastMs)
    const stored = rows.reduce((sum, { seqs }) => sum + seqs.length, 0)
    report(
      2,
      { receivers: people, sent, stored, kills, 'equal after ms': equalMs, wrong: wrong() },
      wrong() === 0 && stored === sent && equalMs <= 3_000 * patience,
    )
  },

  async 3({ db, fleet }) {
    const { players, admins } = await peopleOf(db, 1, 1)
    const [conversationId = ''] = await makeConversations(db, players, admins)
    const list = await openAll(
      fleet,
      Array.from({ length: 10 }, () => players[0] as TestPlayer),
    )
    const payload = { conversationId, content: 'x', type: 'text', tempId: 'once' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (list[n % 10] as ChatClient).ask('send_message', payload)),
    )
    const { stored } = await countStored(db, [players[0]?.id ?? ''])
    const different = new Set(answers.map((answer) => JSON.stringify(answer))).size
    report(
      3,
      { answers: answers.length, rows: stored, different },
      stored === 1 && different === 1 && answers[0]?.ok === true,
    )
  },

  async 4({ db }) {
    const pairs = times(500)
    const { players, admins } = await peopleOf(db, pairs, pairs)
    const open = (who: TestPlayer, participantId: string) =>
      callEndpoint(chatEndpoints.openConversation, { body: { participantId }, token: bareToken(who) })
    const answers = await Promise.all(
      players.flatMap((player, index) => {
        const admin = admins[index] as TestPlayer
        return [open(player, admin.id), open(admin, player.id)]
      }),
    )
    const unequal = players.filter((_, index) => answers[2 * index]?.id !== answers[2 * index + 1]?.id).length
    const { rows } = await db.query<{ n: bigint }>(
      `select count(*) as n from conversations where player_id = any($1::uuid[])`,
      [players.map(({ id }) => id)],
    )
    report(4, { pairs, conversations: rows[0]?.n, unequal }, Number(rows[0]?.n) === pairs && unequal === 0)
  },

  async 5({ db, fleet }) {
    const count = times(5_000)
    const { players, admins } = await peopleOf(db, 1, 1)
    const [conversationId = ''] = await makeConversations(db, players, admins)
    const writers = Array.from({ length: 20 }, (_, n) => openPage(fleet, (n % 2 ? players : admins)[0] as TestPlayer))
    await connectAll(writers)
    const startedMs = performance.now()
    await Promise.all(
      writers.map(async (one, index) => {
        for (let n = index; n < count; n += writers.length) {
          await waitFor(() => one.session.sendText(conversationId, `x${n}`), 60_000)
          await waitFor(() => one.unconfirmed() < 5, 60_000)
        }
      }),
    )
    await waitFor(() => writers.every((one) => one.unconfirmed() === 0), 60_000)
    const { stored, holes } = await countStored(
      db,
      [...players, ...admins].map(({ id }) => id),
    )
    const { rows } = await db.query<{ id: string }>(`select id from messages where conversation_id = $1 order by seq`, [
      conversationId,
    ])
    const truth = rows.map(({ id }) => id).join()
    const orderOf = (one: ChatPage) =>
      threadOf(one, conversationId)
        ?.messages.map(({ id }) => id)
        .join()
    await waitFor(() => writers.every((one) => orderOf(one) === truth), 10_000 * patience)
    const differing = writers.filter((one) => orderOf(one) !== truth).length
    const seconds = (performance.now() - startedMs) / 1000
    report(
      5,
      { stored, holes, 'differing lists': differing, 'msg/s': Math.round(count / seconds) },
      stored === count && holes === 0 && differing === 0,
    )
  },

  async 6({ db, fleet }) {
    const [people, outMs] = [times(500), 120_000 * Math.min(1, scale)]
    const { players, admins } = await peopleOf(db, people, 5)
    const conversations = await makeConversations(db, players, admins)
    let list = players.map((player) => openPage(fleet, player))
    await connectAll(list)
    // The connections are cut before the first message is sent, so no page has noticed it yet.
    for (const [index, { session }] of list.entries())
      for (let n = 0; n < 3; n++) session.sendText(conversations[index] as string, `${n}`)
    fleet.setOutage(true)
    await waitFor(() => list.every((one) => !one.isConnected()), 10_000)
    const before = list.reduce((sum, one) => sum + one.unconfirmed(), 0)
    await sleep(outMs)
    // A reload: a new page on the same device.
    list = list.map((one, index) => {
      if (index % 2 === 0) return one
      one.close()
      return openPage(fleet, one.player, one.device)
    })
    fleet.setOutage(false)
    for (const one of list) one.connect()
    const backMs = await waitFor(() => list.every((one) => one.isConnected() && one.unconfirmed() === 0), 60_000)
    const { stored, ids } = await countStored(
      db,
      players.map(({ id }) => id),
    )
    const facts = {
      clients: people,
      'outage s': outMs / 1000,
      waiting: before,
      stored,
      unique: ids,
      'all delivered after ms': backMs,
    }
    const isOnce = before === people * 3 && stored === before && ids === stored
    report(6, facts, isOnce && backMs !== null && backMs <= 10_000 * patience)
  },

  async 7({ db, fleet }) {
    const { players, admins } = await peopleOf(db, 1, 1)
    const [player, admin] = [players[0] as TestPlayer, admins[0] as TestPlayer]
    const [conversationId = ''] = await makeConversations(db, players, admins)
    const devices = Array.from({ length: 4 }, () => openPage(fleet, player))
    const writer = openPage(fleet, admin)
    await connectAll([...devices, writer])
    const unreadOf = async () => {
      const { rows } = await db.query<{ n: bigint }>(
        `select count(*) as n from messages m join conversation_members r on r.conversation_id = m.conversation_id and r.user_id = $2
          where m.conversation_id = $1 and m.sender_id <> $2 and m.seq > r.read_seq`,
        [conversationId, player.id],
      )
      return Number(rows[0]?.n)
    }
    const tries = times(1_000)
    let passed = 0
    let late = 0
    const newestSeq = () => Math.max(...devices.map((one) => threadOf(one, conversationId)?.lastSeq ?? 0))
    for (let n = 0; n < tries; n++) {
      writer.session.sendText(conversationId, `u${n}`)
      const device = devices[n % 4] as ChatPage
      const thread = threadOf(device, conversationId)
      const seen = thread?.messages.at(-1)
      if (seen !== undefined && n % 3 === 0 && (thread?.markers[player.id] ?? 0) < seen.seq) {
        device.session.markRead(conversationId, seen.seq)
        const answer = await device.nextMarkAnswer()
        if (!answer.ok || (answer.answer['readSeq'] as number) > newestSeq()) passed++
      } else if (seen !== undefined && n % 3 === 1) {
        const ack = await device.ask('mark_as_read', { conversationId })
        if ((ack['readSeq'] as number) > (threadOf(device, conversationId)?.lastSeq ?? 0)) passed++
      }
      if (n % 50 === 49) {
        await waitFor(() => writer.unconfirmed() === 0, 60_000)
        const truth = await unreadOf()
        if (
          (await waitFor(
            () => devices.every((one) => totalUnread(one.session.snapshot().chat) === truth),
            1_000 * patience,
          )) === null
        )
          late++
      }
    }
    report(
      7,
      { devices: 4, tries, 'markers past a seen message': passed, 'unread unlike SQL after 1 s': late },
      passed === 0 && late === 0,
    )
  },

  async 8({ db, fleet, env }) {
    const count = times(3_000)
    const { players, admins } = await peopleOf(db, count, 1)
    await openAll(fleet, admins)
    const list = await openAll(fleet, players)
    const onlineMs = await waitFor(async () => (await onlineIn(db)) >= count, 15_000)
    // A second fleet watches, because clients of the killed one cannot reconnect.
    const others = await startFleet(1, env)
    const witness = await openChatClient(others.url, admins[0] as TestPlayer)
    const toldBefore = witness.told('user_offline').length
    for (const one of list) one.close()
    const killedMs = performance.now()
    await fleet.lose()
    await fleet.lose()
    let firstMs: number | null = null
    const doneMs = await waitFor(() => {
      const told = witness.told('user_offline').length - toldBefore
      if (told > 0 && firstMs === null) firstMs = Math.round(performance.now() - killedMs)
      return told >= count
    }, 40_000)
    const told = witness.told('user_offline').length - toldBefore
    await waitFor(() => performance.now() - killedMs > 30_000, 30_000)
    const ghosts = (await onlineIn(db)) - 1
    witness.close()
    await others.close()
    const facts = {
      sockets: count,
      'all online after ms': onlineMs,
      'first offline ms': firstMs,
      'all offline ms': doneMs,
      told,
      ghosts,
    }
    report(8, facts, doneMs !== null && doneMs <= 25_000 && ghosts === 0)
  },

  async 9({ db, fleet }) {
    const [player] = await createPlayers(db, 1, { welcomePoints: 0 })
    const files = await hostileFiles()
    const upload = async (bytes: Uint8Array) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png')
      const headers = { authorization: player.bearer, connection: 'close' }
      const startedMs = performance.now()
      const answer = await fetch(`${fleet.url}/api/v1/file-upload`, { method: 'POST', headers, body: form })
      const { code } = (await answer.json()) as { code?: string }
      return { verdict: answer.ok ? 'OK' : code, ms: Math.round(performance.now() - startedMs) }
    }
    // The first image loads the library, whose time is not part of any file's check.
    const harmless = files.find(({ verdict }) => verdict === 'OK')
    if (harmless !== undefined) for (let n = 0; n < 4; n++) await upload(harmless.bytes)
    const sizes = () => fleet.pids().map(rssMb)
    const base = sizes()
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, ...sizes().map((mb, at) => mb - (base[at] ?? 0)))
    }, 20)
    let [wrong, slowest] = [0, 0]
    for (const { name, bytes, verdict } of files) {
      const seen = await upload(bytes)
      if (seen.verdict !== verdict) {
        wrong++
        process.stdout.write(`      ${name}: ${seen.verdict}, not ${verdict}\n`)
      }
      slowest = Math.max(slowest, seen.ms)
    }
    clearInterval(watching)
    const facts = { files: files.length, 'wrong verdicts': wrong, 'slowest ms': slowest }
    const mb = Math.round(most)
    report(9, { ...facts, 'MB over base': mb }, wrong === 0 && slowest <= 2_000 && mb <= 200)
  },

  async 10({ db, fleet }) {
    const world = await makeForgeries(fleet.url, db)
    const messages = async () => (await db.query('select 1 from messages')).rowCount
    const before = await messages()
    let passed = 0
    for (const one of world.forgeries) {
      const answer = await one.tryIt()
      if (answer === one.code) continue
      passed++
      process.stdout.write(`      ${one.name}: ${answer}, not ${one.code}\n`)
    }
    const written = (await messages()) - before
    await world.talk()
    // The eavesdropper may receive events of its own conversation only.
    const heard = PRIVATE_EVENTS.reduce((sum, name) => sum + world.eavesdropper.told(name).length, 0) - 1
    world.close()
    const facts = { cases: world.forgeries.length, 'not refused as they should be': passed, written, overheard: heard }
    report(10, facts, world.forgeries.length >= 66 && passed === 0 && written === 0 && heard === 0)
  },

  async 11({ db, fleet }) {
    const fleetMb = () => fleet.pids().reduce((sum, pid) => sum + rssMb(pid), 0)
    const [idle, active, perS, forS, swarms] = [times(10_000), times(2_000), Math.max(10, times(500)), 20, 2]
    const { players, admins } = await peopleOf(db, idle, 20)
    const conversations = await makeConversations(db, players.slice(0, active), admins)
    const baseMb = fleetMb()
    const children = Array.from({ length: swarms }, () => fork(new URL('swarm.ts', import.meta.url)))
    try {
      const shareOf = <T>(list: readonly T[], at: number) => list.filter((_, index) => index % swarms === at)
      await Promise.all(
        children.map((child, at) => {
          const order: SwarmOrder = {
            ports: fleet.ports(),
            players: shareOf(players, at).map(({ id, username, bearer }) => ({ id, username, bearer })),
            conversationIds: shareOf(conversations, at),
            perS: perS / swarms,
            forS,
          }
          child.send(order)
          return told(child, 'connected')
        }),
      )
      await sleep(3_000)
      const idleMb = Math.round(fleetMb() - baseMb)
      const reports = await Promise.all(
        children.map((child) => {
          child.send('write')
          return told(child, 'written')
        }),
      )
      const sent = reports.reduce((sum, one) => sum + one.sent, 0)
      const latencies = reports.flatMap(({ latenciesMs }) => latenciesMs)
      const { ids: stored } = await countStored(
        db,
        players.map(({ id }) => id),
      )
      const [p50, p95, p99] = [cut(latencies, 0.5), cut(latencies, 0.95), cut(latencies, 0.99)]
      report(
        11,
        {
          sockets: idle,
          'MB over base': idleMb,
          writers: active,
          'msg/s': perS,
          sent,
          lost: sent - stored,
          'p50 ms': p50,
          'p95 ms': p95,
          'p99 ms': p99,
        },
        idleMb <= 300 && sent === stored && p95 <= 80 && p99 <= 200,
      )
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  },

  async 12({ db, fleet }) {
    const [count, rounds] = [times(200), 20]
    // Enough admins that none of them meets the limit on calls.
    const { players, admins } = await peopleOf(db, count, Math.ceil(count / 4))
    const conversations = await makeConversations(db, players, admins)
    const writers = players.map((player) => openPage(fleet, player))
    const desks = admins.map((admin) => openPage(fleet, admin))
    await connectAll([...writers, ...desks])
    const tally = { done: 0, refused: 0, unanswered: 0 }
    let lost = 0
    let kills = 0
    for (let round = 0; round < rounds; round++) {
      if (round % 5 === 4 && fleet.killOne()) kills++
      const seenSeqs = await lastSeqs(db, conversations)
      // Either call goes first, by up to 20 ms, so that both orders happen.
      await Promise.all(
        conversations.flatMap((conversationId, at) => [
          (async () => {
            await sleep(Math.random() * 20)
            await waitFor(() => (writers[at] as ChatPage).session.sendText(conversationId, `${round}`), 60_000)
          })(),
          (async () => {
            await sleep(Math.random() * 20)
            const body = { state: 'done', untilMs: null, seenSeq: seenSeqs.get(conversationId) ?? 0 } as const
            const token = bareToken(admins[at % admins.length] as TestPlayer)
            await callEndpoint(chatEndpoints.changeState, { params: { id: conversationId }, body, token }).then(
              () => tally.done++,
              (error: unknown) => {
                if ((error as { code?: unknown }).code === 'NEW_MESSAGE') tally.refused++
                else tally.unanswered++
              },
            )
          })(),
        ]),
      )
      await waitFor(() => writers.every((one) => one.unconfirmed() === 0), 60_000)
      // Each round sends a message that nobody saw before the act: its player waits, even if the act came first.
      const { rows } = await db.query<{ n: bigint }>(
        `select count(*) as n from conversations c left join conversations_waiting w on w.conversation_id = c.id
          where c.id = any($1::uuid[]) and (c.state <> 'open' or w.since is null)`,
        [conversations],
      )
      lost += Number(rows[0]?.n)
    }
    await waitFor(() => desks.every((one) => one.isConnected()), 60_000)
    const unlike = () =>
      conversations.filter((id, at) => {
        const known = threadOf(desks[at % desks.length] as ChatPage, id)?.conversation
        return known?.desk?.state !== 'open' || known.desk.waitingSinceMs === null
      }).length
    await waitFor(() => unlike() === 0, 10_000 * patience)
    const facts = { conversations: count, rounds, kills, ...tally, 'lost in done': lost, 'desks unlike SQL': unlike() }
    // A small run may happen to see only one of the two orders.
    const hasBothOrders = isShort || (tally.done > 0 && tally.refused > 0)
    report(12, facts, lost === 0 && unlike() === 0 && tally.done + tally.refused > 0 && hasBothOrders)
  },

  async 13({ db, fleet }) {
    const startedMs = performance.now()
    const players = Math.max(12, times(60))
    const { wrong, acts, errors, ...seen } = await dayOfCare(db, fleet.url, players)
    const s = Math.round((performance.now() - startedMs) / 1000)
    report(
      13,
      { players, ...seen, ...acts, s },
      Object.values(wrong).every((n) => n === 0),
    )
    for (const [what, n] of Object.entries(wrong)) process.stdout.write(`        ${what}: ${n}\n`)
    for (const error of errors) process.stdout.write(`        ${error}\n`)
  },
}

/** The last seq of each conversation. */
async function lastSeqs(db: Database, conversations: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ id: string; last_seq: number }>(
    `select id, last_seq from conversations where id = any($1::uuid[])`,
    [conversations],
  )
  return new Map(rows.map(({ id, last_seq: seq }) => [id, seq]))
}

/** Resident memory of a process, in MB. */
const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Waits for a report of a swarm. */
const told = <Is extends SwarmReport['is']>(child: ChildProcess, is: Is): Promise<Extract<SwarmReport, { is: Is }>> =>
  new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('A swarm ended')))
    child.on('message', (message) => {
      if ((message as SwarmReport).is === is) resolve(message as Extract<SwarmReport, { is: Is }>)
    })
  })

const onlineIn = async (db: Database): Promise<number> =>
  Number(
    (
      await db.query<{ n: bigint }>(
        `select count(distinct user_id) as n from presence_users join presence_processes using (process_id) where lease_until > clock_timestamp()`,
      )
    ).rows[0]?.n ?? 0n,
  )

const server = openNative({ url: serverUrl, max: 1 })
const dataDir = await mkdtemp(join(tmpdir(), 'kim-phien-accept-'))

/** Runs a proof with its own database and pair of processes, so that its books are not mixed with another proof's. */
async function withWorld(run: (world: World) => Promise<void>): Promise<void> {
  const database = `accept_chat_${randomBytes(4).toString('hex')}`
  await server.query(`create database ${database}`)
  const url = databaseUrl(serverUrl, database)
  const db = openNative({ url, max: 4 })
  let fleet: Fleet | null = null
  try {
    await migrate(db)
    const env = {
      DATABASE_URL: url,
      REDIS_URL: redisUrl,
      AUDIT_KEY: 'a'.repeat(40),
      RATE_LIMIT_FACTOR: '1000000',
      GOLD_FEED: 'simulated',
      ADMIN_PASSWORD: 'accept-chat',
      DATA_DIR: dataDir,
    }
    fleet = await startFleet(2, env)
    setOrigin(fleet.url)
    await run({ db, fleet, env })
  } finally {
    await fleet?.close()
    await db.close()
    await server.query(`drop database if exists ${database} with (force)`)
  }
}

async function runProof(name: string, world: World): Promise<void> {
  try {
    if ((await waitFor(() => world.fleet.ports().length === 2, 30_000)) === null)
      throw new Error('The processes did not come back')
    await proofs[Number(name)]?.(world)
  } catch (error) {
    report(Number(name), { error }, false)
  } finally {
    closeAll()
  }
}

try {
  const names = Object.keys(proofs).filter((name) => wished.length === 0 || wished.includes(Number(name)))
  if (isShort)
    await withWorld(async (world) => {
      for (const name of names) await runProof(name, world)
    })
  else for (const name of names) await withWorld((world) => runProof(name, world))
} finally {
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(failures === 0 ? 0 : 1)
