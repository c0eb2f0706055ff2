// `node scripts/copy-bank-names.mjs`, run after an update of vietnam-qr-pay: copies the bank picker's data from that
// package. checks/bank-names.test.ts compares the copy with the package.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './project.mjs'

const target = join(root, 'web/features/banks/bank-names.json')
const { Banks } = createRequire(import.meta.url)('vietnam-qr-pay')
const rows = Banks.map(({ shortName, name, code, keywords }) => [shortName, name, `${code} ${keywords ?? ''}`.trim()])
writeFileSync(target, `${JSON.stringify(rows)}\n`)
