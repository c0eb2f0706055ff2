// `npm run e2e`: the journeys in a real Chromium. Arguments go to vitest.
import { existsSync } from 'node:fs'
import { become, ensureInstalled, ensureWebBuilt, fail } from './project.mjs'

const candidates = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const chromium = process.env['CHROMIUM_PATH'] || candidates.find((path) => existsSync(path))
if (chromium === undefined || !existsSync(chromium))
  fail('Chromium was not found: install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to where it is.')

const node = await ensureInstalled()
await ensureWebBuilt(node)
become([
  {
    command: node,
    args: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts', ...process.argv.slice(2)],
    env: { CHROMIUM_PATH: chromium },
  },
])
