import { become, ensureInstalled, ensureWebBuilt, ownSettings } from './project.mjs'

const node = await ensureInstalled()
await ensureWebBuilt(node)
become([
  { command: node, args: ['server/main.ts'], env: { NODE_COMPILE_CACHE: '.build/compile-cache', ...ownSettings() } },
])
