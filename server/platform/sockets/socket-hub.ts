import type { Server as HttpServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server, type Socket } from 'socket.io'
import * as z from 'zod/mini'
import {
  type ClientAnswer,
  clientAdmissions,
  clientAnswers,
  type ClientEvent,
  type ClientEventName,
  clientEvents,
  type ClientRefusal,
  handshake,
  type ServerEvent,
  type ServerEventName,
  serverEvents,
  type staffRooms,
} from '#contract/events.ts'
import { SOCKET_FRAME_BYTES } from '#contract/limits.ts'
import { refusals, type SharedRefusal } from '#contract/refusals.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import {
  type Admission,
  CAPABILITIES,
  decideAccess,
  decideAdmission,
  type StaffAccess,
  type Subject,
} from '#domain/identity/permissions.ts'
import { judgeAdmission, parseBareToken, type SignedIn, signedIn } from '#server/platform/http/auth.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, refusalIn, type Refused, refuse, refuseIssues } from '#server/platform/http/errors.ts'
import { faultSentence } from '#server/platform/http/fault-sentence.ts'
import { repeating } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { isWithinBounds } from '#server/platform/http/payload-bounds.ts'
import type { RedisClient } from './redis.ts'
import {
  createFloodMeter,
  EVENTS_ANSWERED_PER_SECOND,
  pauseReading,
  ignoreRest,
  type ReadableConnection,
  stopReading,
} from './socket-flood.ts'
import { joinProcesses } from './socket-relay.ts'
import { createSweep, type HubSocket } from './sweep-sockets.ts'
import { isInsideTx } from '#server/platform/database/transaction.ts'

/**
 * The room `chat:` with a user's id gets the events of that user's conversations. Only sockets of that user are in it,
 * and an admin's only with the capability `care`. The room `staff` has all admins, and `staff:` with a capability all
 * admins who have it.
 */
export type Room = OpenRoom | `chat:${string}` | StaffAccess
type OpenRoom = 'everybody' | `user:${string}` | `game:${RoundType}`

/**
 * The rooms to which an event may be sent. An event for which staff need a capability may be sent to the room of that
 * capability, to `chat:` rooms and to everybody.
 */
type RoomFor<Name extends ServerEventName> = Name extends keyof typeof staffRooms
  ? (typeof staffRooms)[Name] extends 'staff'
    ? OpenRoom | 'staff'
    : 'everybody' | `chat:${string}` | (typeof staffRooms)[Name]
  : OpenRoom

export interface ClientSocket {
  readonly id: string
  readonly subject: Subject
  tell<Name extends ServerEventName>(name: Name, payload: ServerEvent<Name>): void
}

/** Returns a refusal or the fields of the acknowledgement; null if the acknowledgement has no fields. */
export type EventHandler<Name extends ClientEventName> = (
  socket: ClientSocket,
  payload: ClientEvent<Name>,
) => Promise<ClientAnswer<Name> | Refused<ClientRefusal<Name>>> | ClientAnswer<Name> | Refused<ClientRefusal<Name>>

export interface SocketWatcher {
  opened?(socket: ClientSocket): void
  closed?(socket: ClientSocket): void
  /** Called for each event that any process sends to the socket, with name and payload as on the wire. */
  told?(socket: ClientSocket, name: string, payload: unknown): void
  refused?(socket: ClientSocket, name: ClientEventName, payload: unknown, refused: Refused): void
}

export interface SocketHub {
  /** Sends to rooms on all processes, but not to socket or room `exceptId`. Throws inside tx(), before the commit. */
  emitTo<Name extends ServerEventName>(
    rooms: RoomFor<Name> | RoomFor<Name>[],
    name: Name,
    payload: ServerEvent<Name>,
    exceptId?: string,
  ): void
  /** Sends to sockets of this process only, for changes that each process notices by itself. */
  emitHere<Name extends ServerEventName>(
    rooms: RoomFor<Name> | RoomFor<Name>[],
    name: Name,
    payload: ServerEvent<Name>,
  ): void
  onEvent<Name extends ClientEventName>(name: Name, handler: EventHandler<Name>): void
  watch(watcher: SocketWatcher): void
  count(): number
  relayed(): number
  stands(): Promise<void>
  /** Closes each socket at a random moment within `overMs`, so that clients do not all reconnect together. */
  close(overMs?: number): Promise<void>
}

export interface SocketHubDeps {
  readonly server: HttpServer
  readonly db: Database
  readonly log: Logger
  readonly redis: RedisClient | null
}

/** Sockets of ended sessions and changed accounts have to be closed within a second (rules §4.1). */
const SWEEP_EVERY_MS = 500
const CONNECT_TIMEOUT_MS = 10_000

const EVENTS_PER_SECOND = 50
const CUT_OFF_S = 10

interface Connection extends ReadableConnection {
  on(event: 'packet', listener: (packet: { readonly data?: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  close(): void
}

export function createSocketHub({ server, db, log, redis }: SocketHubDeps): SocketHub {
  const io = new Server(server, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: SOCKET_FRAME_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
  })
  const sockets = new Set<HubSocket>()
  const relay = redis === null ? null : joinProcesses(io, redis, sockets)
  const handlers = new Map<ClientEventName, EventHandler<never>>()
  const watchers: SocketWatcher[] = []
  const hub: Hub = { db, log, sockets, handlers, watchers, judging: new WeakSet() }
  io.engine.on('connection', (connection: Connection) => meter(hub, connection))
  io.use((socket, next) => admit(hub, socket, next))
  io.on('connection', (socket: Socket) => serve(hub, socket))

  // An event without a receiver need not be encoded. Such events are frequent, for example when a bet is settled after
  // its player has left.
  const isAnybodyIn = (rooms: Room | Room[]): boolean => {
    const { rooms: occupied } = io.of('/').adapter
    return Array.isArray(rooms) ? rooms.some((room) => occupied.has(room)) : occupied.has(rooms)
  }

  const stopSweeping = repeating(SWEEP_EVERY_MS, createSweep(db, sockets), (error, isAgain) => {
    if (!isAgain) log.warn({ err: error }, 'Sockets could not be compared with their sessions')
  })

  return {
    onEvent: (name, handler) => void handlers.set(name, handler),
    watch: (watcher) => void watchers.push(watcher),
    emitTo(rooms, name, payload, exceptId) {
      assertCommitted()
      if (redis === null && !isAnybodyIn(rooms)) return
      const encoded: unknown = z.encode(serverEvents[name], payload)
      const told: string[] = exceptId === undefined ? [] : [exceptId]
      // Sends to one room at a time: the relay then sends the event only to processes with sockets in that room.
      // `except` keeps a socket in several of the rooms from getting the event twice.
      for (const room of Array.isArray(rooms) ? rooms : [rooms]) {
        io.to(room).except(told).emit(name, encoded)
        told.push(room)
      }
    },
    emitHere(rooms, name, payload) {
      assertCommitted()
      if (!isAnybodyIn(rooms)) return
      // A socket in several of the rooms gets the event once.
      io.local.to(rooms).emit(name, z.encode(serverEvents[name], payload))
    },
    count: () => sockets.size,
    relayed: () => relay?.received() ?? 0,
    stands: async () => relay?.stands(),
    async close(overMs = 0) {
      if (overMs > 0 && sockets.size > 0) {
        // Closes the connection below Socket.IO: after `socket.disconnect()`, clients would not reconnect.
        for (const socket of sockets) setTimeout(() => socket.conn.close(), Math.random() * overMs)
        await sleep(overMs)
      }
      await stopSweeping()
      // io.close() would also close the HTTP server, which must first let running requests finish.
      io.engine.close()
      relay?.close()
    },
  }
}

interface Hub {
  readonly db: Database
  readonly log: Logger
  readonly sockets: Set<HubSocket>
  readonly handlers: ReadonlyMap<ClientEventName, EventHandler<never>>
  readonly watchers: readonly SocketWatcher[]
  readonly judging: WeakSet<object>
}

function meter(hub: Hub, connection: Connection): void {
  const judgeFrame = createFloodMeter()
  connection.on('packet', ({ data }) => {
    // `0/` asks for another namespace. Socket.IO would refuse it with an answer that repeats the name, however long.
    const isOtherNamespace = typeof data === 'string' && data.startsWith('0/')
    const length = typeof data === 'string' || data instanceof Buffer ? data.length : 0
    const verdict = judgeFrame(length, monotonicMs())
    if (isOtherNamespace || verdict === 'flood') cutOff(hub, connection)
    else if (verdict === 'enough') pauseReading(connection)
  })
  connection.on('close', () => ignoreRest(connection))
}

function cutOff({ sockets, log }: Hub, connection: Connection): void {
  const { code, message } = refuse('SOCKET_FLOOD')
  for (const socket of sockets) {
    if (socket.conn !== (connection as unknown)) continue
    log.warn({ userId: socket.data.subject.userId }, 'A socket that sent too much was cut off')
    socket.emit('cut_off', z.encode(serverEvents.cut_off, { code, message, retryAfterS: CUT_OFF_S }))
    socket.disconnect(true)
  }
  connection.close()
  stopReading(connection)
}

/** Lets a socket in or refuses it. Only one handshake per connection is checked at a time: each check costs a query. */
function admit({ db, log, judging }: Hub, socket: Socket, next: (error?: Error) => void): void {
  if (judging.has(socket.conn)) return next(handshakeError(refuse('TOO_MANY_REQUESTS')))
  judging.add(socket.conn)
  judgeHandshake(db, socket.handshake.auth)
    .finally(() => judging.delete(socket.conn))
    .then((who) => {
      if (isRefused(who)) return next(handshakeError(who))
      socket.data = who
      void socket.join(roomsOf(who.subject))
      next()
    })
    .catch((error: unknown) => {
      const refused = refusalIn(error)
      if (refused === null) log.error({ err: error }, 'A socket could not be checked')
      next(handshakeError(refused ?? refuse('INTERNAL')))
    })
}

function serve(hub: Hub, anySocket: Socket): void {
  const { sockets, watchers } = hub
  const socket = anySocket as unknown as HubSocket
  // Releases the request with its headers, which take much of the memory of an idle socket.
  ;(socket.conn as { request: unknown }).request = null
  sockets.add(socket)
  const client: ClientSocket = {
    id: anySocket.id,
    subject: socket.data.subject,
    tell: (name, payload) => void anySocket.emit(name, z.encode(serverEvents[name] as z.ZodMiniType, payload)),
  }
  const listening = watchers.filter((watcher) => watcher.told !== undefined)
  if (listening.length > 0)
    anySocket.onAnyOutgoing((name: string, payload: unknown) => {
      for (const watcher of listening) watcher.told?.(client, name, payload)
    })
  for (const watcher of watchers) watcher.opened?.(client)
  socket.on('disconnect', () => {
    sockets.delete(socket)
    for (const watcher of watchers) watcher.closed?.(client)
  })
  let window = { startedMs: 0, events: 0 }
  // One listener for all events takes less memory than a listener for each.
  anySocket.onAny((name: string, payload: unknown, ack: unknown) => {
    const nowMs = monotonicMs()
    if (nowMs - window.startedMs >= 1_000) window = { startedMs: nowMs, events: 0 }
    window.events++
    // Events beyond EVENTS_ANSWERED_PER_SECOND get no answer, because even refusals cost too much.
    if (window.events > EVENTS_ANSWERED_PER_SECOND) return
    const isTooFast = window.events > EVENTS_PER_SECOND
    void answerEvent(hub, anySocket, client, name, payload, isTooFast).then((answer) => {
      if (answer !== null && typeof ack === 'function') ack(answer)
    })
  })
}

/** Returns the acknowledgement of an event; null for a known event without a handler. Errors become refusals. */
async function answerEvent(
  { handlers, watchers, log }: Hub,
  socket: Socket,
  client: ClientSocket,
  name: string,
  payload: unknown,
  isTooFast: boolean,
): Promise<object | null> {
  if (!isClientEvent(name)) return failed(refuse('BAD_REQUEST'))
  const refuseIt = (refused: Refused) => {
    for (const watcher of watchers) watcher.refused?.(client, name, payload, refused)
    return failed(refused)
  }
  if (isTooFast) return refuseIt(refuse('TOO_MANY_REQUESTS', undefined, 1))
  const barred = judgeAdmission(clientAdmissions[name], client.subject)
  if (barred !== null) return refuseIt(barred)
  if (!isWithinBounds(payload)) return refuseIt(refuse('BAD_REQUEST'))
  const schema: z.ZodMiniType = clientEvents[name]
  const wish = z.safeDecode(schema, payload, { error: faultSentence })
  if (!wish.success) return refuseIt(refuseIssues(wish.error))
  if (name === 'watch_game' || name === 'unwatch_game') {
    const room: Room = `game:${(wish.data as ClientEvent<'watch_game'>).type}`
    await (name === 'watch_game' ? socket.join(room) : socket.leave(room))
    return { ok: true }
  }
  const handler = handlers.get(name)
  if (handler === undefined) return null
  try {
    const answer = await handler(client, wish.data as never)
    if (isRefused(answer)) return refuseIt(answer)
    const codec = (clientAnswers as Readonly<Record<string, z.ZodMiniType>>)[name]
    return codec === undefined ? { ok: true } : { ok: true, ...(z.encode(codec, answer) as object) }
  } catch (error) {
    const refused = refusalIn(error)
    if (refused !== null) return refuseIt(refused)
    log.error({ err: error, event: name }, 'An event failed')
    return refuseIt(refuse('INTERNAL'))
  }
}

const STAFF_ROOMS: readonly StaffAccess[] = ['staff', ...CAPABILITIES.map((one) => `staff:${one}` as const)]
const IN_CHAT: Admission = { access: 'player', asStaff: 'staff:care' }

/** Returns the rooms in which a socket stays until it is closed. Rooms `game:` are joined and left later. */
function roomsOf(subject: Subject): Room[] {
  return [
    'everybody',
    `user:${subject.userId}`,
    ...(decideAdmission(IN_CHAT, subject) === null ? [`chat:${subject.userId}` as const] : []),
    ...STAFF_ROOMS.filter((room) => decideAccess(room, subject) === null),
  ]
}

function assertCommitted(): void {
  if (isInsideTx()) throw new Error('Something was emitted inside tx(): emit it after the commit, with tx.afterCommit')
}

/** Judges a handshake by its token. A user whom the handshake names must be the user of the token (rules §4.3). */
async function judgeHandshake(db: Database, auth: unknown): Promise<SignedIn | Refused<SharedRefusal>> {
  const parsed = z.safeParse(handshake, isWithinBounds(auth) ? auth : null)
  if (!parsed.success) return refuseIssues(parsed.error)
  const token = parseBareToken(parsed.data.token)
  const who = token === null ? null : await signedIn(db, token)
  if (who === null) return refuse('UNAUTHORIZED')
  const { userId, username } = parsed.data
  const isSame =
    (userId === undefined || userId.toLowerCase() === who.subject.userId) &&
    (username === undefined || username === who.subject.username)
  if (!isSame) return refuse('FORBIDDEN')
  const refusal = decideAccess('player', who.subject)
  return refusal === null ? who : refuse(refusal)
}

const isClientEvent = (name: string): name is ClientEventName => Object.hasOwn(clientEvents, name)

const failed = ({ code, message, details, retryAfterS }: Refused) => ({
  ok: false,
  code,
  message,
  ...(details === undefined ? {} : { details }),
  ...(retryAfterS === undefined ? {} : { retryAfter: retryAfterS }),
})

function handshakeError({ code, message, retryAfterS }: Refused): Error {
  const retry = retryAfterS === undefined ? {} : { retryAfter: retryAfterS }
  return Object.assign(new Error(message), { data: { statusCode: refusals[code].status, code, message, ...retry } })
}
