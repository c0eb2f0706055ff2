// `npm test`: every test that needs neither a browser nor a server. Arguments go to vitest: npm test -- server/platform
import { become, ensureInstalled } from './project.mjs'

const node = await ensureInstalled({ tools: true })
become([{ command: node, args: ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)] }])
