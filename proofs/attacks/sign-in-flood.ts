// Runs as a separate process: keeps this many sign-ins of unknown names in flight, each followed by the next as soon as
// it is answered, until its input ends. Then it prints how often each status was answered. Its first argument is the
// order, as JSON.
import { signIn } from './sign-in-client.ts'

export interface FloodOrder {
  readonly server: string
  readonly atOnce: number
  /** One address for all sign-ins, or null for a new address with each. */
  readonly from: string | null
}

const { server, atOnce, from } = JSON.parse(process.argv[2] ?? '') as FloodOrder
const statuses: Record<number, number> = {}
let isStopping = false
let sent = 0

/** Each sign-in uses a new name, because all of them have to be unknown. */
async function one(): Promise<void> {
  const n = sent++
  const address = from ?? `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`
  const { status } = await signIn(server, { username: `nobody${n}`, password: 'guess-guess', from: address })
  statuses[status] = (statuses[status] ?? 0) + 1
}

process.stdin.resume().once('end', () => {
  isStopping = true
})
async function oneAfterAnother(): Promise<void> {
  while (!isStopping) await one()
}
await Promise.all(Array.from({ length: atOnce }, oneAfterAnother))
process.stdout.write(JSON.stringify(statuses))
process.exit(0)
