import { findChromium, findShell } from './chromium.mjs'
import { become, ensureInstalled, ensureWebBuilt } from './project.mjs'

const chromium = findChromium()
const node = await ensureInstalled({ tools: true })
await ensureWebBuilt(node)
become([
  {
    command: node,
    args: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts', ...process.argv.slice(2)],
    env: { CHROMIUM_PATH: chromium, CHROMIUM_SHELL_PATH: findShell() },
  },
])
