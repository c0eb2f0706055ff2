import { become, ensureInstalled, ensureWebBuilt } from './project.mjs'

const node = await ensureInstalled()
await ensureWebBuilt(node)
become([{ command: node, args: ['scripts/demo/main.ts', ...process.argv.slice(2)] }])
