// `npm test`: runs the tests that need no browser, except the slowest, which `.ci/run` runs (CONTRIBUTING.md, "Two
// gates"). Arguments, as in `npm test -- server/platform`, are passed to vitest, which then selects from all tests.
import { become, ensureInstalled } from './project.mjs'

const node = await ensureInstalled({ tools: true })
const given = process.argv.slice(2)
const args = given.length > 0 ? given : ['--project', '!gate']
if (given.length === 0) console.log('The slowest are left to .ci/run: npm test -- --project gate')
become([{ command: node, args: ['node_modules/vitest/vitest.mjs', 'run', ...args] }])
