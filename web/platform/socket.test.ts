import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keptStore } from '#web/testing/kept-store.ts'

type Listener = (payload?: unknown) => void

/** Replaces the library's socket; tests trigger the server's actions by hand. */
function makeSocket() {
  const listeners = new Map<string, Listener[]>()
  const socket = {
    connected: false,
    active: false,
    connect: vi.fn<() => void>(),
    disconnect: vi.fn<() => void>(),
    emit: vi.fn<(name: string, wire: unknown) => void>(),
    timeout: () => ({ emitWithAck: vi.fn<() => Promise<unknown>>(async () => library.acknowledgement) }),
    io: {
      on: (name: string, listener: Listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
      reconnectionDelay: vi.fn<(ms: number) => void>(),
      reconnectionDelayMax: vi.fn<(ms: number) => void>(),
    },
    on: (name: string, listener: Listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    hear(name: string, payload?: unknown) {
      for (const listener of listeners.get(name) ?? []) listener(payload)
    },
  }
  return socket
}

const library = vi.hoisted(() => ({
  socket: undefined as unknown,
  acknowledgement: undefined as unknown,
  auth: (_give: (handshake: object) => void): void => {},
}))
vi.mock('./socket-library.ts', async (importActual) => ({
  ...(await importActual<typeof import('./socket-library.ts')>()),
  io: ({ auth }: Pick<typeof library, 'auth'>) => {
    library.auth = auth
    return library.socket
  },
  serverEventNames: [],
  readEvent: (_name: string, wire: { code: string; message: string; retryAfter: number }) => ({
    code: wire.code,
    message: wire.message,
    retryAfterS: wire.retryAfter,
  }),
}))
vi.mock('./lazy-part.ts', () => ({ inTurn: (load: () => unknown) => load() }))

let socket: ReturnType<typeof makeSocket>
let letGo: () => void
let platform: typeof import('./socket.ts')
let online: typeof import('./online.ts')

beforeEach(async () => {
  vi.useFakeTimers()
  const page = new EventTarget()
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.resetModules()
  socket = makeSocket()
  library.socket = socket
  platform = await import('./socket.ts')
  online = await import('./online.ts')
  letGo = platform.holdConnection({ userId: 'u', username: 'an' })
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(0)
  socket.hear('connect')
})
afterEach(() => {
  letGo()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The number of connection attempts so far, after `ms` more milliseconds. */
const triesAfter = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms)
  return socket.connect.mock.calls.length
}
const refusal = (statusCode: number, retryAfter?: number) =>
  Object.assign(new Error('câu trả lời'), {
    data: { statusCode, code: 'X', ...(retryAfter === undefined ? {} : { retryAfter }) },
  })

describe('a connection that the server closes', () => {
  test('is retried after a second', async () => {
    socket.hear('disconnect', 'io server disconnect')
    expect(await triesAfter(900)).toBe(0)
    expect(await triesAfter(200)).toBe(1)
  })

  test('because too much was sent is retried after the server’s delay, and the reason is shown', async () => {
    socket.hear('cut_off', { code: 'SOCKET_FLOOD', message: 'Gửi quá nhiều', retryAfter: 10 })
    socket.hear('disconnect', 'io server disconnect')
    expect(platform.connectionProblem()).toBe('Gửi quá nhiều')
    expect(platform.connectionState()).toBe('lost')
    expect(await triesAfter(9_900)).toBe(0)
    expect(await triesAfter(200)).toBe(1)
    socket.hear('connect')
    expect(platform.connectionProblem()).toBeNull()
    // The delay applied only to that one close.
    socket.hear('disconnect', 'io server disconnect')
    expect(await triesAfter(1_100)).toBe(2)
  })
})

describe('a handshake that is refused', () => {
  test('because the database is away is retried with growing delays, and the session is kept', async () => {
    const doubted = vi.fn<() => void>()
    platform.onHandshakeRefused(doubted)
    const waits: number[] = []
    for (let tries = 1; tries <= 8; tries++) {
      socket.hear('connect_error', refusal(503, 2))
      const startedAt = Date.now()
      while ((await triesAfter(100)) < tries && Date.now() - startedAt < 40_000);
      waits.push(Math.round((Date.now() - startedAt) / 1000))
    }
    for (const wait of waits.slice(0, 5)) {
      expect(wait).toBeGreaterThanOrEqual(2)
      expect(wait).toBeLessThanOrEqual(5)
    }
    for (const wait of waits.slice(5)) {
      expect(wait).toBeGreaterThanOrEqual(5)
      expect(wait).toBeLessThanOrEqual(31)
    }
    expect(doubted).not.toHaveBeenCalled()
    expect(platform.connectionProblem()).toBe('câu trả lời')
  })

  test('because staff have renamed the user is retried with the new name, once the page knows the name', async () => {
    socket.hear('disconnect', 'transport close')
    socket.hear('connect_error', refusal(403))
    expect(await triesAfter(60_000)).toBe(0)
    letGo()
    letGo = platform.holdConnection({ userId: 'u', username: 'binh' })
    expect(await triesAfter(0)).toBe(1)
    vi.stubGlobal('localStorage', keptStore())
    const give = vi.fn<(handshake: object) => void>()
    library.auth(give)
    expect(give).toHaveBeenCalledExactlyOnceWith({ token: '', userId: 'u', username: 'binh' })
  })

  test('is retried at once if the page has learned the new name while the old one was on its way', async () => {
    const doubted = vi.fn<() => void>()
    platform.onHandshakeRefused(doubted)
    vi.stubGlobal('localStorage', keptStore())
    socket.hear('disconnect', 'transport close')
    socket.hear('reconnect_attempt')
    library.auth(() => {})
    letGo()
    letGo = platform.holdConnection({ userId: 'u', username: 'binh' })
    socket.hear('connect_error', refusal(403))
    expect(await triesAfter(0)).toBe(1)
    library.auth(() => {})
    socket.hear('connect_error', refusal(403))
    expect(await triesAfter(60_000)).toBe(1)
    expect(doubted).toHaveBeenCalledOnce()
  })

  test('because the session is over is not retried, and the listeners are called', async () => {
    const doubted = vi.fn<() => void>()
    platform.onHandshakeRefused(doubted)
    socket.hear('connect_error', refusal(401))
    expect(await triesAfter(60_000)).toBe(0)
    expect(doubted).toHaveBeenCalledOnce()
  })
})

describe('a server that does not answer (rules §6.7)', () => {
  /** The library's own attempt fails; returns the delay that it takes until its next one. */
  const failTry = (): number => {
    socket.hear('reconnect_attempt')
    socket.active = true
    socket.hear('connect_error', new Error('websocket error'))
    const [delay, longest] = [socket.io.reconnectionDelay, socket.io.reconnectionDelayMax].map(
      ({ mock }) => mock.lastCall?.[0],
    )
    expect(delay).toBe(longest)
    return delay ?? Number.NaN
  }
  const lose = () => socket.hear('disconnect', 'transport close')
  const isAway = () => {
    let tries = 0
    const connect = socket.connect.getMockImplementation()
    socket.connect.mockImplementation(() => void (tries += 1))
    online.tryServerNow()
    socket.connect.mockImplementation(connect ?? (() => {}))
    return tries > 0
  }

  test('is tried five times 1 to 5 s apart, then for ever every 5 to 30 s, never at one fixed interval', () => {
    lose()
    const delays = [socket.io.reconnectionDelay.mock.lastCall?.[0] ?? 0, ...Array.from({ length: 60 }, failTry)]
    for (const delay of delays.slice(0, 5)) {
      expect(delay).toBeGreaterThanOrEqual(1_000)
      expect(delay).toBeLessThanOrEqual(5_000)
    }
    const later = delays.slice(5)
    for (const delay of later) {
      expect(delay).toBeGreaterThanOrEqual(5_000)
      expect(delay).toBeLessThanOrEqual(30_000)
    }
    expect(new Set(later).size).toBeGreaterThan(50)
    expect(Math.max(...later) - Math.min(...later)).toBeGreaterThan(15_000)
  })

  test('counts as away after the fifth failure, until the connection stands', () => {
    lose()
    for (let tries = 1; tries <= 4; tries++) failTry()
    expect(isAway()).toBe(false)
    failTry()
    expect(isAway()).toBe(true)
    socket.hear('connect')
    expect(isAway()).toBe(false)
    expect(platform.connectionState()).toBe('connected')
  })

  test('is tried at once after a successful call, at most every 5 s', async () => {
    lose()
    failTry()
    expect(await triesAfter(5_000)).toBe(0)
    online.reportAnswer(Date.now())
    expect(await triesAfter(0)).toBe(1)
    socket.hear('connect_error', new Error('websocket error'))
    online.reportAnswer(Date.now())
    expect(await triesAfter(4_000)).toBe(1)
    online.reportAnswer(Date.now())
    expect(await triesAfter(1_100)).toBe(1)
    online.reportAnswer(Date.now())
    expect(await triesAfter(0)).toBe(2)
  })

  test('is not tried after a call while an attempt is under way, nor after a refusal', async () => {
    lose()
    failTry()
    await triesAfter(6_000)
    socket.hear('reconnect_attempt')
    await triesAfter(9_000)
    online.reportAnswer(Date.now())
    expect(await triesAfter(0)).toBe(0)
    socket.active = false
    socket.hear('connect_error', refusal(403))
    await triesAfter(9_000)
    online.reportAnswer(Date.now())
    expect(await triesAfter(0)).toBe(0)
  })

  test.each([
    ['on request', () => platform.reconnectNow()],
    ['when the page becomes visible', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['when the network comes back', () => document.dispatchEvent(new Event('online'))],
  ])('is tried at once %s', async (_, wake) => {
    lose()
    for (let tries = 1; tries <= 7; tries++) failTry()
    wake()
    expect(await triesAfter(0)).toBe(1)
    // The attempt that has just begun goes on.
    wake()
    expect(await triesAfter(0)).toBe(1)
  })
})

describe('an emitted event', () => {
  test('joins a room after each connect and leaves it, under its wire name', () => {
    socket.connected = true
    const leave = platform.stayJoined('watch_game', 'unwatch_game', { type: '30s' })
    socket.hear('connect')
    leave()
    socket.hear('connect')
    expect(socket.emit.mock.calls).toEqual([
      ['watch_game', { type: '30s' }],
      ['watch_game', { type: '30s' }],
      ['unwatch_game', { type: '30s' }],
    ])
  })

  test('is never one that the contract would refuse', () => {
    socket.connected = true
    expect(() => platform.stayJoined('join_room', 'leave_room', { conversationId: 'draft' })).toThrow('uuid')
    expect(socket.emit).not.toHaveBeenCalled()
  })

  test.each([
    ['HOLDER_GONE', 'HOLDER_GONE'],
    ['DATABASE_AWAY', 'DATABASE_AWAY'],
    ['NEW_RULE', 'UNKNOWN'],
  ])('and refused as %s answers %s with its sentence', async (sent, code) => {
    socket.connected = true
    library.acknowledgement = { ok: false, code: sent, message: 'Quy định mới', retryAfter: 2 }
    const wish = { content: 'x', kind: 'text', clientMessageId: 'm1' } as const
    expect(await platform.askServer('send_message', wish)).toEqual({
      ok: false,
      code,
      message: 'Quy định mới',
      retryAfterMs: 2_000,
    })
  })

  test('with half of a character is refused as the server would refuse it, and is not tried again', async () => {
    socket.connected = true
    const wish = { content: 'x\ud83d', kind: 'text', clientMessageId: 'm1' } as const
    expect(await platform.askServer('send_message', wish)).toMatchObject({ ok: false, code: 'TEXT_INVALID' })
    expect(await platform.askServer('send_message', { ...wish, clientMessageId: ' ' })).toMatchObject({
      code: 'TEXT_INVALID',
    })
    const named = { ...wish, content: 'x', clientMessageId: ' ' }
    expect(await platform.askServer('send_message', named)).toMatchObject({ code: 'UNSENT' })
  })
})
