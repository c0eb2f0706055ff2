// Copies what the bank picker needs out of the maintained list in vietnam-qr-pay: `node scripts/copy-bank-names.mjs`
// after that package was updated. A test compares the copy with the package, so it is never edited by hand.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const target = join(fileURLToPath(new URL('..', import.meta.url)), 'web/features/banks/bank-names.json')
const { Banks } = createRequire(import.meta.url)('vietnam-qr-pay')
// A row of texts for each bank: the name to show, the full name, other words it is looked for by. No numbers, no logos.
const rows = Banks.map(({ shortName, name, code, keywords }) => [shortName, name, `${code} ${keywords ?? ''}`.trim()])
writeFileSync(target, `${JSON.stringify(rows)}\n`)
