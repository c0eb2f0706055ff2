import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { chatEndpoints } from '#contract/chat.ts'
import { type Bet, type CurrentRound, gameEndpoints } from '#contract/game.ts'
import { identityEndpoints } from '#contract/identity.ts'
import {
  REFRESH_AFTER_COUNTDOWN_MS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '#contract/limits.ts'
import { signInEndpoints } from '#contract/sign-in.ts'
import { basisNow } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { points } from '#domain/money.ts'
import type { WireAck } from '#testing/app/chat-client.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { ApiError } from '#web/platform/http.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { readEvent, writeEvent } from '#web/platform/socket-library.ts'
import type { Account } from './accounts.ts'
import type { Measures, Timed } from './measures.ts'
import type { Act } from './schedule.ts'
import type { Acknowledged, Undecided, Written } from './verdict.ts'

export interface ClientDeps {
  readonly url: string
  readonly account: Account
  readonly type: RoundType
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number
  readonly measures: Measures
  /** Returns the ms since the start of the run. */
  readonly nowMs: () => number
  /** Unanswered acts are repeated until this time, in ms after the start of the run. */
  readonly givenUpMs: number
}

/** The facts about a signed-in client that the check at the end of the run needs. */
export interface SignedInClient {
  readonly playerId: string
  readonly token: string
  /** No row of this run is older than this time, by the server's clock. */
  readonly sinceMs: number
}

/** One phone without a screen: it makes the calls and handles the events of the game screen and of customer care. */
export interface LoadClient {
  /** Does the act that is due. Never rejects: failures are measured. */
  perform(act: Act): Promise<void>
  /** Cuts the connection without a close frame, like a phone that loses its network. */
  drop(): void
  acknowledged(): readonly Acknowledged[]
  undecided(): readonly Undecided[]
  /** Null if the sign-in failed or is not complete. */
  signedIn(): SignedInClient | null
  /** The conversation with customer care; null before the first message. */
  conversationId(): string | null
  close(): void
}

const STAKE_POINTS = 10
const BETS_PER_PAGE = 10
/** The game screen shows this many recent rounds as squares beside the clock. */
const RECENT_ROUNDS = 12
const ACKNOWLEDGEMENT_MS = 8_000
const FIRST_REPEAT_MS = 1_000
const LONGEST_REPEAT_MS = 10_000

/** Refusals that an honest player may get: the round closes while the bet is on its way, or another tab was faster. */
const FORESEEN: Readonly<Record<Written, readonly string[]>> = {
  bet: ['ROUND_CLOSING', 'ROUND_NOT_FOUND', 'FEED_CLOSED', 'BET_OPEN', 'INSUFFICIENT_BALANCE', 'DISCLOSURE_CHANGED'],
  message: ['SENDING_TOO_FAST'],
}

/** The fields of engine.io that `drop` needs to end the socket without a close frame. */
interface CuttableEngine {
  readonly transport?: { readonly ws?: { readonly terminate?: () => void } }
}

export function createLoadClient(deps: ClientDeps): LoadClient {
  const { url, account, type, random, measures, nowMs, givenUpMs } = deps
  const acknowledged: Acknowledged[] = []
  const undecided = new Map<Written, number>()
  const entered = Promise.withResolvers<boolean>()
  /** The reason why acts cannot be done now, other than a slow server; null if there is no such reason. */
  let hindrance: string | null = null
  let me: SignedInClient | null = null
  let socket: Socket | null = null
  let round: CurrentRound | null = null
  let openBet: Pick<Bet, 'id'> | null = null
  let isBetting = false
  let isClosed = false
  let isAway = false
  /** A promise that is resolved while the connection is open and has joined its rooms. */
  let joined = Promise.withResolvers<void>()
  let isJoined = false
  let conversation: Promise<string> | null = null
  let conversationId: string | null = null
  let roundTimer: NodeJS.Timeout | undefined
  const asking = new Set<string>()

  /** Measures how long an act takes from when it was due, and notes its outcome. */
  async function timed(what: Timed, dueMs: number, work: () => Promise<Ending>): Promise<void> {
    measures.begin(what, dueMs, nowMs())
    const { outcome, code } = await work().catch((error: unknown) => ({
      outcome: 'unexpected' as const,
      code: codeOf(error),
    }))
    measures.end(what, dueMs, nowMs(), outcome, code)
  }

  async function signIn(dueMs: number): Promise<void> {
    await timed('sign in', dueMs, async () => {
      const accessToken = await takeToken()
      me = { playerId: '', token: accessToken, sinceMs: 0 }
      return DONE
    })
    hindrance = null
    if (me === null) {
      hindrance = 'not signed in'
      entered.resolve(false)
      return
    }
    await timed('enter', nowMs(), async () => {
      const token = tokenInUse()
      const [user, config] = await Promise.all([
        callEndpoint(identityEndpoints.me, { token }),
        callEndpoint(identityEndpoints.config, { token }),
      ])
      me = { playerId: user.id, token, sinceMs: config.serverTimeMs }
      openSocket(user.id, user.username)
      await Promise.all([untilJoined(), askForRound(), askForBets()])
      return DONE
    }).finally(() => {
      if (me?.playerId === '') hindrance = 'not signed in'
      entered.resolve(hindrance === null)
    })
  }

  /** Signs in or registers. After a 429, waits as long as the server says; acts that are due meanwhile are not done. */
  async function takeToken(): Promise<string> {
    const { username, password, referralCode } = account
    for (;;) {
      try {
        const answer =
          referralCode === null
            ? await callEndpoint(signInEndpoints.login, { body: { username, password } })
            : await callEndpoint(signInEndpoints.register, {
                body: { username, password, passwordAgain: password, referralCode },
              })
        if (!('accessToken' in answer)) throw new Error('This account needs a second factor.')
        return answer.accessToken
      } catch (error) {
        const waitMs =
          error instanceof ApiError && error.status === 429 ? (error.retryAfterMs ?? FIRST_REPEAT_MS) : null
        if (waitMs === null || nowMs() + waitMs > givenUpMs || isClosed) throw error
        hindrance = 'sign-in held back by 429'
        await sleep(waitMs)
      }
    }
  }

  const tokenInUse = (): string => me?.token ?? ''

  function openSocket(userId: string, username: string): void {
    const opened = io(url, {
      transports: ['websocket'],
      forceNew: true,
      timeout: SOCKET_TIMEOUT_MS,
      reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
      reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
      auth: { token: tokenInUse(), userId, username },
    })
    socket = opened
    opened.on('connect', async () => {
      const answers = await Promise.all([
        ask('watch_game', writeEvent('watch_game', { type })),
        ...(conversationId === null ? [] : [ask('join_room', writeEvent('join_room', { conversationId }))]),
      ])
      if (!opened.connected || answers.some((answer) => answer?.ok !== true)) return
      isJoined = true
      joined.resolve()
    })
    opened.on('disconnect', (reason) => {
      if (isJoined) joined = Promise.withResolvers()
      isJoined = false
      if (isClosed || isAway) return
      measures.lose()
      // The library reconnects by itself, except after a close by the server.
      if (reason === 'io server disconnect') setTimeout(() => opened.connect(), SOCKET_RECONNECT_MIN_MS)
    })
    opened.on('connect_error', (error: Error & { data?: { code?: string; retryAfter?: number } }) => {
      if (isClosed || isAway) return
      measures.stumble('reconnect', nowMs(), error.data?.code ?? 'NO_CONNECTION')
      if (!opened.active) setTimeout(() => opened.connect(), (error.data?.retryAfter ?? 1) * 1000)
    })
    opened.on('price_tick', () => measures.tick(nowMs()))
    opened.on('round_changed', () => refresh('round', askForRound))
    opened.on('bet_changed', (wire: unknown) => {
      if (readEvent('bet_changed', wire)?.isSettled === true) openBet = null
      refresh('bets', askForBets)
    })
  }

  const untilJoined = (): Promise<void> =>
    Promise.race([
      joined.promise,
      sleep(SOCKET_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Unacknowledged('NO_CONNECTION', 0)
      }),
    ])

  /** Emits an event and returns its acknowledgement; null if none comes in time, or without a connection. */
  const ask = async (name: string, payload: unknown): Promise<WireAck | null> =>
    ((await socket
      ?.timeout(ACKNOWLEDGEMENT_MS)
      .emitWithAck(name, payload)
      .catch(() => null)) as WireAck) ?? null

  /** Refetches what a hint announces. A hint that comes while the same refetch is running changes nothing. */
  function refresh(name: string, work: () => Promise<unknown>): void {
    if (asking.has(name) || isClosed || isAway) return
    asking.add(name)
    void timed('refresh', nowMs(), async () => {
      await work()
      return DONE
    }).finally(() => asking.delete(name))
  }

  async function askForRound(): Promise<void> {
    const [current] = await Promise.all([
      callEndpoint(gameEndpoints.currentRound, { query: { type }, token: tokenInUse() }),
      callEndpoint(gameEndpoints.listRoundsByType, {
        params: { type },
        query: { page: 1, limit: RECENT_ROUNDS },
        token: tokenInUse(),
      }),
    ])
    const isAnother = current !== null && current.id !== round?.id
    round = current
    if (isAnother) followCountdown(current)
  }

  async function askForBets(): Promise<void> {
    const { rows } = await callEndpoint(gameEndpoints.listOwnBets, {
      query: { page: 1, limit: BETS_PER_PAGE },
      token: tokenInUse(),
    })
    openBet = rows.find(({ status }) => status === 'open') ?? null
  }

  /** Refetches everything that the game screen shows, a second after the countdown, as the screen does (spec §4.4). */
  function followCountdown({ closesAtMs }: CurrentRound): void {
    clearTimeout(roundTimer)
    roundTimer = setTimeout(
      () =>
        refresh('all', () =>
          Promise.all([askForRound(), askForBets(), callEndpoint(identityEndpoints.config, { token: tokenInUse() })]),
        ),
      Math.max(0, closesAtMs - serverNowMs()) + REFRESH_AFTER_COUNTDOWN_MS,
    )
  }

  async function bet(): Promise<Ending> {
    const now = serverNowMs()
    if (isBetting || openBet !== null) return { outcome: 'not sent', code: 'a bet is open' }
    if (round === null || now < round.opensAtMs || now >= round.locksAtMs || !round.isBettingOpen)
      return { outcome: 'not sent', code: 'betting is closed' }
    isBetting = true
    try {
      const order = {
        roundId: round.id,
        userId: me?.playerId ?? '',
        stakeMinor: points(STAKE_POINTS),
        direction: random() < 0.5 ? ('up' as const) : ('down' as const),
        seenBasis: basisNow(null, round.resultSource === 'ADMIN' ? 'up' : null),
      }
      const idempotencyKey = randomUUID()
      return await untilDecided('bet', null, async () => {
        const placed = await callEndpoint(gameEndpoints.placeBet, { body: order, idempotencyKey, token: tokenInUse() })
        openBet = placed
        return placed.id
      })
    } finally {
      isBetting = false
    }
  }

  async function message(): Promise<Ending> {
    conversation ??= openConversation()
    conversation.catch(() => (conversation = null))
    const id = await conversation
    const clientMessageId = randomUUID()
    const content = `${clientMessageId.slice(0, 8)}: tôi cần hỗ trợ`
    const payload = writeEvent('send_message', {
      conversationId: id,
      receiverId: null,
      content,
      kind: 'text',
      clientMessageId,
    })
    return untilDecided('message', clientMessageId, async () => {
      await untilJoined()
      const answer = await ask('send_message', payload)
      if (answer?.ok === true) return (answer['message'] as { readonly _id: string })._id
      throw new Unacknowledged(answer?.code ?? 'NO_ANSWER', (answer?.retryAfter ?? 0) * 1000)
    })
  }

  async function openConversation(): Promise<string> {
    const admins = await callEndpoint(chatEndpoints.listChatUsers, { query: {}, token: tokenInUse() })
    const admin = admins[Math.floor(random() * admins.length)]
    if (admin === undefined) throw new Unacknowledged('NO_ADMIN', 0)
    const { id } = await callEndpoint(chatEndpoints.openConversation, {
      body: { participantId: admin.id },
      token: tokenInUse(),
    })
    conversationId = id
    await ask('join_room', writeEvent('join_room', { conversationId: id }))
    return id
  }

  /**
   * Repeats an act under its own id until it is answered, as the product's clients do. An attempt without an answer, or
   * with a fault of the server, counts as unexpected, unless `drop` has cut the network of this phone.
   */
  async function untilDecided(what: Written, clientId: string | null, attempt: () => Promise<string>): Promise<Ending> {
    for (let failures = 0; ; failures++) {
      try {
        const id = await attempt()
        acknowledged.push({ what, id, playerId: me?.playerId ?? '', clientId })
        return DONE
      } catch (error) {
        const code = codeOf(error)
        if (FORESEEN[what].includes(code)) return { outcome: 'refused', code }
        const waitMs = Math.min(LONGEST_REPEAT_MS, waitOf(error) ?? FIRST_REPEAT_MS * 2 ** failures)
        if (!isRepeatable(error)) return { outcome: 'unexpected', code }
        if (isClosed || nowMs() + waitMs > givenUpMs) {
          undecided.set(what, (undecided.get(what) ?? 0) + 1)
          return { outcome: 'unexpected', code }
        }
        // While the network is cut on purpose, a failed attempt is expected and not counted.
        if (!isAway) measures.stumble(what, nowMs(), code)
        await sleep(waitMs)
      }
    }
  }

  async function look(): Promise<Ending> {
    await Promise.all([askForBets(), callEndpoint(identityEndpoints.config, { token: tokenInUse() })])
    return DONE
  }

  async function comeBack(): Promise<Ending> {
    isAway = false
    socket?.io.reconnection(true)
    socket?.connect()
    await untilJoined()
    // After a reconnect, the screen refetches everything that it shows.
    refresh('all', () => Promise.all([askForRound(), askForBets()]))
    return DONE
  }

  const works = { bet, message, look, reconnect: comeBack }

  return {
    async perform({ kind, dueMs }) {
      if (kind === 'sign in') return signIn(dueMs)
      return timed(kind, dueMs, async () =>
        hindrance === null && (await entered.promise)
          ? works[kind]()
          : { outcome: 'not sent', code: hindrance ?? 'not signed in' },
      )
    },
    drop() {
      if (socket === null) return
      isAway = true
      socket.io.reconnection(false)
      const { transport } = socket.io.engine as unknown as CuttableEngine
      if (transport?.ws?.terminate === undefined) socket.io.engine?.close()
      else transport.ws.terminate()
    },
    acknowledged: () => acknowledged,
    undecided: () => [...undecided].map(([what, count]) => ({ what, playerId: me?.playerId ?? '', count })),
    signedIn: () => (me === null || me.playerId === '' ? null : me),
    conversationId: () => conversationId,
    close() {
      isClosed = true
      clearTimeout(roundTimer)
      socket?.disconnect()
    },
  }
}

interface Ending {
  readonly outcome: 'done' | 'refused' | 'not sent' | 'unexpected'
  readonly code: string
}
const DONE: Ending = { outcome: 'done', code: '' }

/** Thrown if the server refuses an event of the socket, or does not answer it. */
class Unacknowledged extends Error {
  override readonly name = 'Unacknowledged'
  readonly code: string
  readonly retryAfterMs: number
  constructor(code: string, retryAfterMs: number) {
    super(code)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

const codeOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof Unacknowledged ? error.code : String(error)

const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiError || error instanceof Unacknowledged ? error.retryAfterMs || undefined : undefined

/** Returns true after no answer, a fault of the server, or a 429: the same act may be tried again (spec §7). */
function isRepeatable(error: unknown): boolean {
  if (error instanceof Unacknowledged)
    return ['NO_ANSWER', 'NO_CONNECTION', 'DATABASE_AWAY', 'INTERNAL', 'TOO_MANY_REQUESTS'].includes(error.code)
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500)
  )
}
