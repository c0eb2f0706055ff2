// A process of its own: so many sign-ins of unknown names at once, again as soon as all are answered, until its input ends.
// Then it prints how often each status came back. The order is its first argument, as JSON.
import { signIn } from './sign-in-client.ts'

export interface FloodOrder {
  readonly server: string
  readonly perRound: number
  /** One address for all, or null for another one with each sign-in. */
  readonly from: string | null
}

const { server, perRound, from } = JSON.parse(process.argv[2] ?? '') as FloodOrder
const statuses: Record<number, number> = {}
let isStopping = false
let sent = 0

async function one(): Promise<void> {
  const n = sent++
  const address = from ?? `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`
  const { status } = await signIn(server, { username: `nobody${n}`, password: 'guess-guess', from: address })
  statuses[status] = (statuses[status] ?? 0) + 1
}

process.stdin.resume().once('end', () => {
  isStopping = true
})
while (!isStopping) await Promise.all(Array.from({ length: perRound }, one))
process.stdout.write(JSON.stringify(statuses))
process.exit(0)
