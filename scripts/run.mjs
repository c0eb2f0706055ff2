// Runs one of the project's TypeScript programs under its own Node: node scripts/run.mjs bench/main.ts --quick
import { become, ensureInstalled, fail, ownSettings } from './project.mjs'

if (process.argv[2] === undefined) fail('Which program? For example: node scripts/run.mjs bench/main.ts')
const env = process.argv[2].startsWith('server/') ? ownSettings() : {}
become([{ command: await ensureInstalled(), args: process.argv.slice(2), env }])
