// Gate: promtool plays hours of every alert.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

test.skipIf(!existsSync('/usr/bin/promtool'))(
  'promtool accepts the rules and finds each alert firing and quiet (needs Debian’s package prometheus)',
  () => {
    const run = (...args: readonly string[]) =>
      execFileSync('promtool', args, { cwd: 'deploy/monitoring', encoding: 'utf8' })
    expect(run('check', 'rules', 'alerts.yml')).toContain('SUCCESS')
    expect(run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
    expect(run('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS')
  },
)
