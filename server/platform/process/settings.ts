import { readFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { becomeOwnerOf } from './folder-owner.ts'
import { ignoredLines, parseSettingsFile } from './settings-file.ts'
import { settingsTable } from './settings-table.ts'

export type Settings = {
  readonly [Row in (typeof settingsTable)[number] as Row['key']]:
    | NonNullable<ReturnType<Row['read']>>
    | Extract<Row['default'], null>
}

/** Reads all settings; an empty value counts as not set. A problem does not quote the value, which may be a secret. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): Settings | { readonly problems: string[] } {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const row of settingsTable) {
    const text = env[row.name] || row.default
    const value = text === null ? null : row.read(text)
    if (text !== null && value === null)
      problems.push(`${row.name}: the value is not allowed; allowed is ${row.allowed}`)
    values[row.key] = value
  }
  return problems.length > 0 ? { problems } : (values as Settings)
}

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1]
    for (const [index, its] of Array.from(other).entries())
      next.push(
        Math.min((row[index] ?? 0) + (letter === its ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns a line for each name that is no setting but resembles one. Short names are skipped: they resemble many. */
export function misspelledSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = settingsTable.map(({ name }) => name)
  return Object.keys(env).flatMap((name) => {
    if (names.some((known) => known === name) || name.length < 7) return []
    const isNear = (known: string) =>
      Math.abs(known.length - name.length) <= 2 && editsBetween(name.toUpperCase(), known) <= 2
    const meant = names.find((known) => known.length >= 7 && isNear(known))
    return meant === undefined ? [] : [`${name} is no setting; is it ${meant}?`]
  })
}

/** A sentence for each line of the settings file that sets nothing. */
let ignored: readonly string[] = []

/**
 * Adds the settings file to `process.env` and returns `process.env`. The file that SETTINGS_FILE names overrides the
 * environment, as with systemd. Without SETTINGS_FILE, the file that OWN_SETTINGS_FILE names (`.env` under npm) is
 * added, and the environment overrides it.
 * @throws Error with one line when the file cannot be read
 */
function readEnvironment(): Readonly<Record<string, string | undefined>> {
  const named = process.env['SETTINGS_FILE']
  const path = named || process.env['OWN_SETTINGS_FILE']
  if (path)
    try {
      const given = named ? {} : { ...process.env }
      const text = readFileSync(path, 'utf8')
      ignored = ignoredLines(path, text)
      Object.assign(process.env, parseSettingsFile(text), given)
    } catch (error) {
      throw new Error(`${named ? 'SETTINGS_FILE' : path}: ${(error as Error).message}`, { cause: error })
    }
  return process.env
}

/**
 * Reads the settings of this process. `settings` is null if a value is not allowed; `problems` has a line for each such
 * value, each misspelled name and each line that sets nothing. If `settings` is not null, a process of root now runs as
 * the owner of DATA_DIR.
 */
export function judgeProcessSettings(): { readonly settings: Settings | null; readonly problems: readonly string[] } {
  const env = readEnvironment()
  const read = readSettings(env)
  const doubtful = doubtfulInProcess()
  if ('problems' in read) return { settings: null, problems: [...read.problems, ...doubtful] }
  becomeOwnerOf(read.dataDir)
  return { settings: read, problems: doubtful }
}

/**
 * Returns a line for each misspelled name, and for each line of the settings file that sets nothing. The file is not
 * read again: only root may be able to do that.
 */
export const doubtfulInProcess = (): string[] => [...ignored, ...misspelledSettings(process.env)]

export function readProcessSettings(): Settings {
  try {
    const { settings, problems } = judgeProcessSettings()
    if (settings !== null) return settings
    process.stderr.write(problems.map((problem) => `${problem}\n`).join(''))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
  }
  process.exit(1)
}

/** Returns the setting whose folder contains `path` or lies below `path`; null if there is none. */
export function settingOfPath(path: string): 'BACKUP_DIR' | 'DATA_DIR' | null {
  const isOfSame = (folder: string | undefined) =>
    folder !== undefined &&
    folder !== '' &&
    [relative(resolve(folder), resolve(path)), relative(resolve(path), resolve(folder))].some(
      (way) => !way.startsWith('..') && !isAbsolute(way),
    )
  if (isOfSame(process.env['BACKUP_DIR'])) return 'BACKUP_DIR'
  return isOfSame(process.env['DATA_DIR'] || './data') ? 'DATA_DIR' : null
}
