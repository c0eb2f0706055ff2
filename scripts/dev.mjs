// `npm run dev`: runs the server, which restarts after a change of its code, and Vite, which serves the web.
import { become, ensureInstalled } from './project.mjs'

const node = await ensureInstalled()
become([
  { command: node, args: ['--watch', '--watch-preserve-output', 'server/main.ts'], env: { DEVELOPMENT: 'yes' } },
  { command: node, args: ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'] },
])
