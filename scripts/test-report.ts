import type { Reporter, Vitest } from 'vitest/node'

/** Brackets in a skipped test's name say what this machine lacks: "(needs Redis)", "(Linux only)". */
const REASON = /\((?:needs ([^()]+)|([^()]+) only)\)/

type Reporters = ('default' | Reporter | ['json', { outputFile: string }])[]

export function reporters(): Reporters {
  const outputFile = process.env['TEST_REPORT']
  return [
    'default',
    testReport(),
    ...(outputFile === undefined ? [] : [['json', { outputFile }] as ['json', { outputFile: string }]]),
  ]
}

/** Prints the seed of the property tests and what skipped tests lack. A skip without a reason fails the run. */
function testReport(): Reporter {
  const seed = process.env['TEST_SEED']
  let vitest: Vitest
  const print = (line: string) => vitest.logger.log(line)
  return {
    onInit(of) {
      vitest = of
      if (seed !== undefined) print(`Properties are drawn with TEST_SEED=${seed}`)
    },
    onTestRunEnd(modules, _errors, reason) {
      if (reason === 'failed' && seed !== undefined) print(`TEST_SEED=${seed} draws the same properties again.`)
      // Tests that the command line leaves out count as skipped, too.
      if (vitest.config.testNamePattern !== undefined) return
      const counts = new Map<string, number>()
      // After a failed hook the tests of its group count as skipped, so failed modules are left out.
      for (const module of modules.filter((one) => one.ok()))
        for (const test of module.children.allTests('skipped')) {
          const [, needs, only] = REASON.exec(test.fullName) ?? []
          const lacks = needs ?? only
          if (lacks === undefined) {
            print(`Skipped without a reason such as “(needs Redis)”: ${module.relativeModuleId} › ${test.fullName}`)
            process.exitCode = 1
          } else counts.set(lacks, (counts.get(lacks) ?? 0) + 1)
        }
      const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
      if (sorted.length > 0) print(`Skipped: ${sorted.map(([lacks, count]) => `${count} need ${lacks}`).join(' · ')}`)
    },
  }
}
