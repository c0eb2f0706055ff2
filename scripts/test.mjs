// `npm test`: runs every test that needs no browser, except the slowest tests, which `.ci/run` runs (CONTRIBUTING.md,
// "Two gates"). Arguments, as in `npm test -- server/platform`, are passed to vitest; then the slowest run, too.
import { become, ensureInstalled } from './project.mjs'

const node = await ensureInstalled({ tools: true })
const given = process.argv.slice(2)
const args = given.length > 0 ? given : ['--project', '!gate']
if (given.length === 0) console.log('The slowest are left to .ci/run: npm test -- --project gate')
become([{ command: node, args: ['node_modules/vitest/vitest.mjs', 'run', ...args] }])
