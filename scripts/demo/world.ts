import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoints.ts'
import { clientEvents } from '#contract/events.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { call } from '../../e2e/support/api.ts'
import { type Chance, createChance } from './chance.ts'
import { DEMO_PASSWORD } from './server.ts'
import {
  adjustments,
  answers,
  bankNames,
  firstNames,
  memos,
  questions,
  rejections,
  thanks,
  withdrawalNotes,
} from './words.ts'

export interface Person {
  readonly id: string
  readonly username: string
  readonly token: string
}

export interface WorldOptions {
  readonly url: string
  readonly players: number
  readonly seed: number
  readonly onProblem: (problem: string) => void
}

export interface World {
  readonly players: readonly Person[]
  readonly staff: readonly Person[]
  stop(): Promise<void>
}

const STAFF_NAMES = ['lan', 'minh']
/** Number of players that register at the same time. It is low, because the server's password hash is slow. */
const AT_ONCE = 8
const TALKERS = 24
/** Refusals that are normal while players and staff act at the same time. */
const EXPECTED: readonly RefusalCode[] = [
  'ACCOUNT_PAUSED',
  'ROUND_CLOSING',
  'DISCLOSURE_CHANGED',
  'ALREADY_DECIDED',
  'RESULT_ALREADY_SET',
  'TOO_LATE',
  'TOO_LATE_TO_CREATE',
  'STALE',
]
const STAKES = [10, 10, 20, 20, 50, 100]
const ACCOUNT_HOLDER = 'TEN KHONG THAT'

// oxlint-disable-next-line max-lines-per-function -- a list of parts in their order (decision 036)
export async function startWorld(options: WorldOptions): Promise<World> {
  const { url, seed, onProblem } = options
  const chance = createChance(seed)
  const stopped = new AbortController()
  const running: Promise<void>[] = []

  const personOf = async (username: string, token: string): Promise<Person> => {
    const { id } = await call(url, endpoints.me, { token })
    return { id, username, token }
  }
  const signIn = async (username: string): Promise<Person> => {
    const session = await call(url, endpoints.login, { body: { username, password: DEMO_PASSWORD } })
    if (!('accessToken' in session)) throw new Error(`${username} is asked for a second factor`)
    return personOf(username, session.accessToken)
  }
  const register = async (username: string): Promise<Person> => {
    const passwords = { password: DEMO_PASSWORD, passwordAgain: DEMO_PASSWORD }
    const body = { username, ...passwords, referralCode: 'KIMPHIEN' }
    return personOf(username, (await call(url, endpoints.register, { body })).accessToken)
  }
  const admin = await signIn('admin')
  const promote = async (username: string): Promise<Person> => {
    const person = await register(username)
    const { version } = await call(url, endpoints.me, { token: person.token })
    const promoted = await call(url, endpoints.setRole, {
      token: admin.token,
      params: { id: person.id },
      body: { role: 'admin', version },
    })
    await call(url, endpoints.grantCapabilities, {
      token: admin.token,
      params: { id: person.id },
      body: { capabilities: [...CAPABILITIES], version: promoted.version },
    })
    return signIn(username)
  }

  const staff = [admin]
  for (const name of STAFF_NAMES) staff.push(await promote(name))
  const names = Array.from({ length: options.players }, (_, at) => `${chance.pick(firstNames)}${100 + at}`)
  const players: Person[] = []
  for (let from = 0; from < names.length; from += AT_ONCE)
    players.push(...(await Promise.all(names.slice(from, from + AT_ONCE).map(register))))

  const repeat = (own: Chance, leastS: number, mostS: number, act: () => Promise<unknown>): void => {
    const loop = async (): Promise<void> => {
      while (!stopped.signal.aborted) {
        const pauseMs = own.between(leastS * 1000, mostS * 1000)
        await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {})
        if (stopped.signal.aborted) return
        await Promise.resolve()
          .then(act)
          .catch((error: unknown) => {
            const problem = error instanceof Error ? error.message : String(error)
            const isExpected = EXPECTED.some((code) => problem.includes(code))
            if (!stopped.signal.aborted && !isExpected) onProblem(problem)
          })
      }
    }
    running.push(loop())
  }

  for (const [at, player] of players.entries()) {
    const own = createChance(seed + 1_000 + at)
    repeat(own, 5, 120, () => placeBet(url, player, own))
    if (at % 4 === 0) repeat(own, 20, 600, () => fileRequest(url, player, own))
  }
  const desk = createChance(seed + 1)
  repeat(desk, 8, 25, () => decideOldest(url, desk.pick(staff), desk))
  repeat(desk, 60, 150, () => announce(url, desk.pick(staff), desk))
  // `careFor` may freeze a player, so the players who chat are left out, except in a small world, where all chat.
  const others = players.length > TALKERS ? players.slice(TALKERS) : players
  repeat(desk, 40, 120, () => careFor(url, desk.pick(staff), desk.pick(others), desk))

  const talks = players
    .slice(0, TALKERS)
    .map((player, at) => openTalk(url, player, staff[1 + (at % 2)] ?? admin, stopped.signal))
  const care = createChance(seed + 2)
  for (const talk of talks) repeat(care, 5, 240, () => talk.exchange(care))

  return {
    players,
    staff,
    async stop() {
      stopped.abort()
      await Promise.all(running)
      for (const talk of talks) talk.close()
    },
  }
}

async function placeBet(url: string, { token }: Person, chance: Chance): Promise<void> {
  const [latest] = await call(url, endpoints.listOwnBets, { token, query: { limit: 1 } })
  if (latest?.status === 'open') return
  const round = await call(url, endpoints.currentRound, { token, query: { type: chance.pick(ROUND_TYPES) } })
  if (round === null || !round.isBettingOpen || round.locksAtMs - round.serverTimeMs < 2_000) return
  const { balanceMinor } = await call(url, endpoints.config, { token })
  const stakeMinor = points(chance.pick(STAKES))
  if (balanceMinor < stakeMinor) return
  await call(url, endpoints.placeBet, {
    token,
    body: {
      roundId: round.id,
      stakeMinor,
      direction: chance.pick(['up', 'down'] as const),
      seenBasis: round.announcement === null ? 'PRICE' : 'ADMIN',
    },
  })
}

async function fileRequest(url: string, { id, token }: Person, chance: Chance): Promise<void> {
  const { banks, balanceMinor } = await call(url, endpoints.config, { token })
  if (banks.length === 0)
    await call(url, endpoints.addBank, {
      token,
      body: {
        bankName: chance.pick(bankNames),
        accountNumber: String(chance.between(100_000_000, 999_999_999)),
        accountHolder: ACCOUNT_HOLDER,
      },
    })
  const isDeposit = balanceMinor < points(400) || chance.next() < 0.6
  const amountMinor = points(chance.between(5, 30) * 10)
  await call(url, endpoints.fileRequest, {
    token,
    body: isDeposit
      ? { ownerId: id, kind: 'deposit', amountMinor, memo: chance.pick(memos) }
      : { ownerId: id, kind: 'withdrawal', amountMinor, withdrawalNote: chance.pick(withdrawalNotes) },
  })
}

/** Decides the oldest request if at least four are pending, so that staff's list of requests stays filled. */
async function decideOldest(url: string, { token }: Person, chance: Chance): Promise<void> {
  const waiting = await call(url, endpoints.listRequests, {
    token,
    query: { status: 'pending', sort: 'createdAt', limit: 10 },
  })
  const [oldest] = waiting
  if (oldest === undefined || waiting.length < 4) return
  await call(url, endpoints.decideRequest, {
    token,
    params: { id: oldest.id },
    body:
      chance.next() < 0.8
        ? { verdict: 'approved', from: 'pending' }
        : { verdict: 'rejected', reason: chance.pick(rejections), from: 'pending' },
  })
}

async function announce(url: string, { token }: Person, chance: Chance): Promise<void> {
  const round = await call(url, endpoints.currentRound, { token, query: { type: '120s' } })
  if (round === null || round.announcement !== null || round.closesAtMs - round.serverTimeMs < 30_000) return
  await call(url, endpoints.setResult, {
    token,
    params: { id: round.id },
    body: { result: chance.pick(['up', 'down'] as const) },
  })
}

async function careFor(url: string, { token }: Person, player: Person, chance: Chance): Promise<void> {
  const [user] = await call(url, endpoints.listUsers, { token, query: { userId: player.id } })
  if (user === undefined) return
  const body = chance.pick([
    { vip: chance.between(1, 5) },
    { creditScore: chance.between(60, 100) },
    { isFrozen: !user.isFrozen },
    { balanceMinor: user.balanceMinor + points(50), version: user.version, reason: chance.pick(adjustments) },
  ])
  await call(url, endpoints.updateUser, { token, params: { id: player.id }, body })
}

interface Talk {
  exchange(chance: Chance): Promise<void>
  close(): void
}

interface Sent {
  readonly ok: boolean
  readonly code?: string
  readonly message?: { readonly conversationId: string }
}

function openTalk(url: string, player: Person, holder: Person, stopped: AbortSignal): Talk {
  const open = ({ id, username, token }: Person): Socket =>
    io(url, { transports: ['websocket'], forceNew: true, auth: { token, userId: id, username } })
  const sockets = { player: open(player), holder: open(holder) }
  let conversationId: string | null = null
  let sent = 0
  const send = async (from: 'player' | 'holder', content: string): Promise<void> => {
    const event = z.encode(clientEvents.send_message, {
      ...(conversationId === null ? { receiverId: holder.id } : { conversationId }),
      content,
      kind: 'text',
      clientMessageId: `demo-${player.username}-${sent++}`,
    })
    const answer = (await sockets[from].timeout(10_000).emitWithAck('send_message', event)) as Sent
    if (!answer.ok) throw new Error(`send_message: ${answer.code ?? ''}`)
    conversationId = answer.message?.conversationId ?? conversationId
  }
  return {
    async exchange(chance) {
      await send('player', chance.pick(questions))
      // Some questions stay unanswered, so that staff have conversations to answer.
      if (chance.next() < 0.3) return
      await sleep(chance.between(2_000, 8_000), undefined, { signal: stopped })
      await sockets.holder.timeout(10_000).emitWithAck('mark_as_read', { conversationId })
      await send('holder', chance.pick(answers))
      if (chance.next() < 0.5) await send('player', chance.pick(thanks))
    },
    close() {
      sockets.player.disconnect()
      sockets.holder.disconnect()
    },
  }
}
