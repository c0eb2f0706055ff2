// `npm run demo`: starts a server with its data in a temporary folder. Through its API, made-up players bet, file
// requests and chat, and staff answer them. `-- --players N --seed N` changes their number and their random choices.
import { parseArgs } from 'node:util'
import { DEMO_PASSWORD, startDemoServer } from './server.ts'
import { startWorld } from './world.ts'

const { values: args } = parseArgs({
  options: { players: { type: 'string', default: '200' }, seed: { type: 'string', default: '2026' } },
})
const players = Number(args.players)
const seed = Number(args.seed)
if (!Number.isInteger(players) || players < 1 || players > 2_000 || !Number.isInteger(seed)) {
  process.stderr.write('--players is a whole number from 1 to 2000, --seed a whole number\n')
  process.exit(1)
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

let isStopping = false
const stopAsked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      isStopping = true
      resolve()
    })
})

const server = await startDemoServer(process.env['PORT'] ?? '3000')
try {
  say(`Dữ liệu dựng thử / made-up data: ${server.url}`)
  say(`${players} players are registering …`)
  const starting = startWorld({
    url: server.url,
    players,
    seed,
    // Ctrl+C in a terminal ends the server, too, so calls may fail once the demo is stopping.
    onProblem: (problem) => void (isStopping || process.stderr.write(`${problem}\n`)),
  })
  const world = await Promise.race([starting, stopAsked])
  if (world !== undefined) {
    const [first] = world.players
    say(`Staff: ${world.staff.map(({ username }) => username).join(', ')} · a player: ${first?.username ?? ''}`)
    say(`Everybody's password: ${DEMO_PASSWORD} · Ctrl+C ends it and deletes everything`)
    await stopAsked
    await world.stop()
  }
} finally {
  await server.stop()
}
process.exit(0)
