import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { frameOf, UPGRADE } from '../../bench/raw-socket.ts'
import { tokenOf } from '../../bench/world.ts'

export type Attack = 'bodies' | 'slow' | 'headers' | 'frames' | 'storm'

interface Plan {
  readonly attack: Attack
  readonly port: number
  /** Player n of `makeWorld` from which on the attackers' accounts are. */
  readonly firstPlayer: number
}

/** Counts of attackers' work, in this order: connections made, requests or frames sent, and answers by status. */
export interface Tally {
  connections: number
  sent: number
  /** Sockets that the server has let in, and when the last of a storm was: ms since the storm began. */
  opened: number
  openedMs: number
  /** How long it took to dial all connections of a storm. */
  dialledMs: number
  readonly answers: Record<string, number>
}

export interface Attackers {
  /** The counts so far. */
  tally(): Promise<Tally>
  /** Ends all of their connections. */
  stop(): Promise<Tally>
}

/** Lets attackers loose in a process of their own, so that they do not delay the process that measures. */
export function startAttack(plan: Plan): Attackers {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [JSON.stringify(plan)])
  async function ask(what: 'tally' | 'stop'): Promise<Tally> {
    child.send(what)
    const [tally] = (await once(child, 'message')) as [Tally]
    return tally
  }
  return {
    tally: () => ask('tally'),
    async stop() {
      const tally = await ask('stop')
      child.disconnect()
      await once(child, 'exit')
      return tally
    },
  }
}

const KiB = 1_024
const BODY_BYTES = 2 * KiB * KiB
const PIECE = Buffer.alloc(64 * KiB, 0x20)
const AGAIN_MS = 50
const BODY_SENDERS = 40
const HEADER_SENDERS = 40
const SLOW_SENDERS = 200
const SLOW_EVERY_MS = 1_000
const FRAME_SENDERS = 20
export const STORM_SOCKETS = 5_000
export const STORM_MS = 2_000

/** Attackers have addresses of their own, this many attackers for each. */
const PER_ADDRESS = 10

function attack({ attack: kind, port, firstPlayer }: Plan): void {
  const tally: Tally = { connections: 0, sent: 0, opened: 0, openedMs: 0, dialledMs: 0, answers: {} }
  const open = new Set<Socket>()
  let isStopped = false
  const begunMs = performance.now()

  /** A connection from the address of attacker n. */
  function dial(
    n: number,
    onOpen: (tcp: Socket) => void,
    onHeard: (text: string, tcp: Socket) => void,
    onEnd: () => void,
  ) {
    if (isStopped) return
    const place = Math.floor(n / PER_ADDRESS)
    const localAddress = `127.0.${1 + Math.floor(place / 250)}.${1 + (place % 250)}`
    const tcp = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    tally.connections++
    open.add(tcp)
    tcp.on('connect', () => onOpen(tcp))
    tcp.on('data', (bytes) => onHeard(bytes.toString('latin1'), tcp))
    tcp.on('error', () => {})
    tcp.on('close', () => {
      open.delete(tcp)
      if (!isStopped) onEnd()
    })
  }
  const note = (answer: string) => void (tally.answers[answer] = (tally.answers[answer] ?? 0) + 1)
  const noteStatuses = (text: string) => {
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) note(status)
  }
  /** Writes the whole, waiting where the network is full, and again and again if it is to go on. */
  function pour(tcp: Socket, bytes: Buffer, times: number): void {
    let left = times
    const more = () => {
      while (left-- > 0 && !tcp.destroyed) if (!tcp.write(bytes)) return void tcp.once('drain', more)
    }
    more()
  }

  function sendBodies(n: number): void {
    const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
    const heads = [
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n{"username":"`,
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `POST /api/v1/file-upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf(firstPlayer + n)}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${form}`,
    ]
    const isChunked = n % heads.length === 1
    const chunk = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
    dial(
      n,
      (tcp) => {
        tally.sent++
        tcp.write(heads[n % heads.length] ?? '')
        pour(tcp, isChunked ? chunk : PIECE, BODY_BYTES / PIECE.length)
      },
      (text, tcp) => {
        noteStatuses(text)
        // The next connection begins as soon as this one is answered.
        tcp.destroy()
      },
      () => setTimeout(() => sendBodies(n), AGAIN_MS),
    )
  }

  /** Sends a head, or a body, one byte each second. */
  function sendSlowly(n: number): void {
    const head = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    dial(
      n,
      (tcp) => {
        tally.sent++
        tcp.write(n % 2 === 0 ? head : `${head}Content-Length: 1000\r\n\r\n{`)
        const timer = setInterval(() => void tcp.write(n % 2 === 0 ? 'X' : ' '), SLOW_EVERY_MS)
        tcp.on('close', () => clearInterval(timer))
      },
      noteStatuses,
      () => setTimeout(() => sendSlowly(n), AGAIN_MS),
    )
  }

  /** Sends as many fields as a head may have, or far more, over and over on one connection. */
  function sendHeaders(n: number): void {
    const fields = Array.from({ length: 800 }, (_, index) => `x${index}: ${index}\r\n`).join('')
    const requests = [
      `GET /api/v1/public-config HTTP/1.1\r\nHost: x\r\n${fields}\r\n`,
      `GET /api/v1/public-config HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(15_000)}\r\n\r\n`,
      `GET /api/v1/public-config HTTP/1.1\r\nHost: x\r\n${fields.repeat(20)}\r\n`,
    ]
    const request = requests[n % requests.length] ?? ''
    const send = (tcp: Socket) => {
      tally.sent++
      tcp.write(request)
    }
    dial(
      n,
      send,
      (text, tcp) => {
        noteStatuses(text)
        if (!isStopped && !tcp.destroyed) send(tcp)
      },
      () => setTimeout(() => sendHeaders(n), AGAIN_MS),
    )
  }

  /** Opens a socket of player n, answers its pings, and goes on with `onIn` once it is in. */
  function openSocket(n: number, onIn: (tcp: Socket) => void, onEnd: () => void): void {
    let isIn = false
    dial(
      n,
      (tcp) => tcp.write(UPGRADE),
      (text, tcp) => {
        if (!isIn && /(?<!4)0\{"sid"/.test(text))
          tcp.write(frameOf(`40${JSON.stringify({ token: tokenOf(firstPlayer + n) })}`))
        else if (text.includes('\u00012')) tcp.write(frameOf('3'))
        else if (text.includes('44{')) note('refused')
        if (!isIn && text.includes('40{"sid"')) {
          isIn = true
          tally.opened++
          tally.openedMs = performance.now() - begunMs
          onIn(tcp)
        }
      },
      onEnd,
    )
  }

  /** Sends frames of 64 KiB, as fast as the network takes them; a byte more than that is refused at once. */
  function sendFrames(n: number): void {
    const most = 64 * KiB
    const text = (bytes: number) => {
      const [head, tail] = ['42["watch_game",{"type":"', '"}]']
      return head + 'x'.repeat(bytes - head.length - tail.length) + tail
    }
    const frame = frameOf(text(n % 10 === 9 ? most + 1 : most))
    openSocket(
      n,
      (tcp) => {
        const more = () => {
          while (!tcp.destroyed) {
            tally.sent++
            if (!tcp.write(frame)) return void tcp.once('drain', more)
          }
        }
        more()
      },
      () => {
        note('closed')
        setTimeout(() => sendFrames(n), AGAIN_MS)
      },
    )
  }

  function storm(): void {
    let dialled = 0
    const timer = setInterval(() => {
      const due = Math.min(STORM_SOCKETS, ((performance.now() - begunMs) / STORM_MS) * STORM_SOCKETS)
      while (dialled < due) join(dialled++)
      if (dialled < STORM_SOCKETS) return
      clearInterval(timer)
      tally.dialledMs = performance.now() - begunMs
    }, 10)
    const join = (n: number) =>
      openSocket(
        n,
        () => {},
        () => {
          note('closed')
          // Clients do not reconnect at once either.
          setTimeout(() => join(n), 1_000 + Math.random() * 1_000)
        },
      )
  }

  const begin: Readonly<Record<Attack, readonly [number, (n: number) => void]>> = {
    bodies: [BODY_SENDERS, sendBodies],
    slow: [SLOW_SENDERS, sendSlowly],
    headers: [HEADER_SENDERS, sendHeaders],
    frames: [FRAME_SENDERS, sendFrames],
    storm: [1, storm],
  }
  const [count, send] = begin[kind]
  for (let n = 0; n < count; n++) send(n)

  // Attackers end with the process that measures.
  process.once('disconnect', () => process.exit(0))
  process.on('message', (what) => {
    if (what === 'stop') {
      isStopped = true
      for (const tcp of open) tcp.destroy()
    }
    process.send?.(tally)
  })
}

if (import.meta.main && process.argv[2] !== undefined) attack(JSON.parse(process.argv[2]) as Plan)
