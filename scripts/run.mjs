// Runs a TypeScript program of the project under the project's own Node: node scripts/run.mjs bench/main.ts --quick
import { become, ensureInstalled, fail, ownSettings } from './project.mjs'

if (process.argv[2] === undefined) fail('Which program? For example: node scripts/run.mjs bench/main.ts')
const isServers = process.argv[2].startsWith('server/')
const env = isServers ? ownSettings() : {}
become([{ command: await ensureInstalled({ tools: !isServers }), args: process.argv.slice(2), env }])
