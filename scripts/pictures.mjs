// `npm run pictures`: takes README.md's screenshots from a demo with a fixed seed, to docs/pictures. Needs Chromium.
import { become, ensureInstalled, ensureWebBuilt } from './project.mjs'
import { findChromium } from './chromium.mjs'

const chromium = findChromium()
const node = await ensureInstalled({ tools: true })
await ensureWebBuilt(node)
become([{ command: node, args: ['scripts/demo/pictures.ts'], env: { CHROMIUM_PATH: chromium } }])
