// `npm start`: installs and builds what is missing, then runs the server until it is told to stop.
import { become, ensureInstalled, ensureWebBuilt } from './project.mjs'

const node = await ensureInstalled()
await ensureWebBuilt(node)
// What was compiled once need not be compiled again: loading the modules takes half the time.
become([{ command: node, args: ['server/main.ts'], env: { NODE_COMPILE_CACHE: '.build/compile-cache' } }])
