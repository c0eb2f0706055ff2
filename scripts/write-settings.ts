// `npm run settings`: writes the table of docs/settings.md, which checks/docs.test.ts compares with the settings.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsTable } from '../server/platform/process/settings-table.ts'

const page = 'docs/settings.md'
const rows = settingsTable.map(
  ({ name, default: preset, allowed, meaning }) => `| \`${name}\` | ${preset ?? '–'} | ${allowed} | ${meaning} |\n`,
)
const [head = '', rest = ''] = readFileSync(page, 'utf8').split(/(?<=^\|[ -|]+\|\n)(?:\| `.*\n)+/m)
writeFileSync(page, head + rows.join('') + rest)
execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', page])
