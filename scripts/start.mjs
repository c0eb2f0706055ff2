import { become, ensureInstalled, ensureWebBuilt, ownSettings } from './project.mjs'

const node = await ensureInstalled()
await ensureWebBuilt(node)
// The cache lets modules load in half the time.
become([
  { command: node, args: ['server/main.ts'], env: { NODE_COMPILE_CACHE: '.build/compile-cache', ...ownSettings() } },
])
