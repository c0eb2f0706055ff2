import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { endpoints } from '#contract/endpoints.ts'
import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import { type RunningServer, withServer } from '#testing/machines/process.ts'
import type { BarLine } from '../report.ts'
import { type Sending, sendPicture, type Sent } from './images-sender.ts'

/** Valid images of 40 megapixels that are sent at once. */
const LARGE_AT_ONCE = 72
/** The longest time that another account's upload or a sign-in may take during the attack. */
const BAR_MS = 2_000
/** Growth beyond this over the idle server means that images pile up in memory. */
const GROWTH_MAX_MB = 600

interface Account {
  readonly username: string
  readonly token: string
}

const password = 'bi-mat-123'

/** Uploads 72 images of 40 megapixels, nearly 5 MB each, at once: from one account, then from six. */
export const images = (): Promise<BarLine[]> =>
  // Raises the limit per minute, so that the queue is reached: many accounts together would not be limited either.
  withServer({ RATE_LIMIT_FACTOR: '1000' }, async (server) => {
    const large = await largePicture()
    const small = new Uint8Array(
      await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
        .png()
        .toBuffer(),
    )
    const senders = await Promise.all(Array.from({ length: 6 }, (_, index) => register(server, `sender${index}`)))
    const other = await register(server, 'someoneelse')
    const url = server.address + endpoints.uploadFile.path
    const lines: BarLine[] = []
    for (const accounts of [1, 6]) {
      const idleMb = memoryMb(server, 'VmRSS')
      const sendSmall = async () => {
        const { status } = await sendPicture(url, other.token, small)
        if (status !== 200) throw new Error(`The small picture got ${status}`)
      }
      const idle = await Promise.all([repeated(sendSmall), repeated(() => signIn(server, other))])
      const tokens = Array.from({ length: LARGE_AT_ONCE }, (_, index) => senders[index % accounts]?.token ?? '')
      let isOver = false
      const flood = sendFromThread({ url, tokens, bytes: large }).finally(() => {
        isOver = true
      })
      await sleep(200)
      const isUnderWay = () => !isOver
      const [smallMs, signInMs, answers] = await Promise.all([
        repeated(sendSmall, isUnderWay),
        repeated(() => signIn(server, other), isUnderWay),
        flood,
      ])
      const statuses = new Map<number, number>()
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const growthMb = memoryMb(server, 'VmHWM') - idleMb
      const from = `${LARGE_AT_ONCE} pictures of 40 MP at once from ${accounts === 1 ? 'one account' : `${accounts} accounts`}`
      const stored = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
      lines.push(
        {
          what: `${from}: a picture of 20 × 20 of another account, worst of ${smallMs.length} (${worst(idle[0])} before; the large ones: ${stored}, the last after ${text(Math.max(...answers.map(({ tookMs }) => tookMs)))})`,
          seen: worst(smallMs),
          bar: text(BAR_MS),
          isMet: Math.max(...smallMs) <= BAR_MS,
        },
        {
          what: `${from}: a sign-in meanwhile, worst of ${signInMs.length} (${worst(idle[1])} before)`,
          seen: worst(signInMs),
          bar: text(BAR_MS),
          isMet: Math.max(...signInMs) <= BAR_MS,
        },
        {
          what: `${from}: memory above the idle server's ${idleMb} MB`,
          seen: `${growthMb} MB`,
          bar: `${GROWTH_MAX_MB} MB`,
          isMet: growthMb <= GROWTH_MAX_MB,
        },
      )
    }
    return lines
  })

const text = (ms: number): string => `${Math.round(ms)} ms`
const worst = (tookMs: readonly number[]): string => text(Math.max(...tookMs))

/** How long `work` took each time. It runs at least five times, and for as long as `isUnderWay` says. */
async function repeated(work: () => Promise<unknown>, isUnderWay = () => false): Promise<number[]> {
  const tookMs: number[] = []
  while (tookMs.length < 5 || isUnderWay()) {
    const startedMs = performance.now()
    await work()
    tookMs.push(performance.now() - startedMs)
    await sleep(100)
  }
  return tookMs
}

/** 8,000 × 5,000 pixels of noise, which compresses badly: the file is about as large as the server accepts. */
async function largePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const
  const picture = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, noise, background: 'gray' } })
    .jpeg({ quality: 44 })
    .toBuffer()
  if (picture.length > UPLOAD_BYTES_MAX) throw new Error(`The picture has ${picture.length} bytes`)
  return new Uint8Array(picture)
}

async function sendFromThread(workerData: Sending): Promise<Sent[]> {
  const thread = new Worker(new URL('images-sender.ts', import.meta.url), { workerData })
  const [answers] = (await once(thread, 'message')) as [Sent[]]
  return answers
}

async function post({ address }: RunningServer, path: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as { message: string; data: { access_token: string } }
  if (!response.ok) throw new Error(answer.message)
  return answer.data.access_token
}

async function register(server: RunningServer, username: string): Promise<Account> {
  const body = { username, password, rePassword: password, code: 'KIMPHIEN' }
  return { username, token: await post(server, endpoints.register.path, body) }
}

const signIn = (server: RunningServer, { username }: Account): Promise<string> =>
  post(server, endpoints.login.path, { username, password })

/** The current or the peak memory of a process, as Linux reports it. */
function memoryMb({ pid }: RunningServer, field: 'VmRSS' | 'VmHWM'): number {
  const kb = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kb === undefined) throw new Error('The memory of the server can’t be read here')
  return Math.round(Number(kb) / 1024)
}
