import { createInterface } from 'node:readline/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { examineMachine } from '#server/installation/examine-machine.ts'
import { findingText } from '#server/installation/doctor.ts'
import {
  isWrittenBySetup,
  type Question,
  questionsFor,
  refuse,
  settingsFileText,
} from '#server/installation/setup-file.ts'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import { readSettings, type Settings } from '#server/platform/process/settings.ts'
import { ignoredLines, parseSettingsFile } from '#server/platform/process/settings-file.ts'

/**
 * `npm run setup`: asks for the settings of one server, or takes them from flags, examines the machine and writes the
 * settings file (docs/one-server.md). Other settings in the file are kept. Exits with 1 and writes nothing if a setting
 * is wrong; exits with 1, but writes the file, if the machine is not ready.
 */
const questions = questionsFor(process.getuid?.() === 0)

function flags(): Readonly<Record<string, string | boolean | undefined>> {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(questions.map(({ flag }) => [flag, { type: 'string' as const }])),
      file: { type: 'string' },
      yes: { type: 'boolean' },
    },
  })
  return values
}

/** Collects the answers. If a typed answer is wrong, its question is asked again. Other wrong answers are errors. */
async function answersOf(given: ReturnType<typeof flags>, before: Readonly<Record<string, string>>, isAgain: boolean) {
  const isAsking = process.stdin.isTTY && given['yes'] !== true
  const terminal = isAsking ? createInterface({ input: process.stdin, output: process.stdout }) : null
  const answers = new Map<Question, string>()
  const settings: Record<string, string> = {}
  try {
    for (const question of questions) {
      const flag = given[question.flag]
      const preset =
        typeof flag === 'string' ? flag : (question.before(before) ?? (isAgain ? question.unset : question.suggested))
      let answer = preset
      for (;;) {
        // If the question is not asked, the preset is the answer. It is checked, too: the file may have a wrong value.
        const asking = flag === undefined && question.isAsked?.(settings) !== false ? terminal : null
        if (asking !== null) {
          const typed = (await asking.question(`${question.ask}${presetText(preset, question)}: `)).trim()
          answer = typed === '-' ? '' : typed || preset
        }
        const refusal = refuse(question, answer)
        if (refusal === null) break
        if (asking === null) throw new Error(`--${question.flag}: ${refusal}`)
        process.stdout.write(`${refusal}\n`)
      }
      answers.set(question, answer)
      Object.assign(settings, question.settings(answer))
    }
  } finally {
    terminal?.close()
  }
  return answers
}

const presetText = (preset: string, { suggested }: Question): string =>
  preset === '' ? '' : suggested === '' ? ` [${preset}; - for none]` : ` [${preset}]`

const nextSteps = ({ publicOrigin, port }: Settings, file: string): string =>
  publicOrigin === null
    ? `Next: npm start, then open http://127.0.0.1:${port}.\n`
    : `Next: start the service and the proxy (docs/one-server.md, steps 6 and 7), then npm run doctor -- --url ${publicOrigin}.\nKeep a copy of ${file} elsewhere.\n`

try {
  const given = flags()
  const file = resolve(typeof given['file'] === 'string' ? given['file'] : '.env')
  const textBefore = readIfThere(file) ?? ''
  // The file is written anew, without such lines, so a setting that was meant would be lost.
  const ignored = ignoredLines(file, textBefore)
  if (ignored.length > 0) throw new Error(ignored.join('\n'))
  const before = parseSettingsFile(textBefore)
  const values: Record<string, string> = { ...before }
  for (const [question, answer] of await answersOf(given, before, isWrittenBySetup(textBefore))) {
    // An unchanged answer is skipped: it would replace settings that may have been edited by hand, such as TRUST_PROXY.
    if (answer === question.before(before)) continue
    for (const name of Object.keys(question.settings('x'))) delete values[name]
    Object.assign(values, question.settings(answer))
  }
  const settings = readSettings(values)
  if ('problems' in settings) throw new Error(settings.problems.join('\n'))
  const text = settingsFileText(values)
  const findings = await examineMachine(settings)
  for (const finding of findings) process.stdout.write(findingText(finding))
  await replaceFile(file, text)
  process.stdout.write(`\nWritten: ${file}, for its owner alone. ${nextSteps(settings, file)}`)
  process.exitCode = findings.some(({ is }) => is === 'wrong') ? 1 : 0
} catch (error) {
  process.stderr.write(
    `${error instanceof Error && error.message.includes('\n') ? error.message : reasonOf(error)}\nNothing was written.\n`,
  )
  process.exitCode = 1
}
