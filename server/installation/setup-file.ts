import { settingsTable } from '#server/platform/process/settings-table.ts'
import { parseSettingsFile } from '#server/platform/process/settings-file.ts'

type SettingName = (typeof settingsTable)[number]['name']

export interface Question {
  readonly flag: string
  readonly ask: string
  readonly settings: (answer: string) => Partial<Record<SettingName, string>>
  readonly before: (env: Readonly<Record<string, string | undefined>>) => string | undefined
  /**
   * The answer if the file of an earlier setup does not set the setting. The setup writes a setting at its default only
   * as a comment.
   */
  readonly unset: string
  readonly suggested: string
  /** Returns whether to ask the question after the given answers. Without this function, the question is asked. */
  readonly isAsked?: (given: Readonly<Record<string, string | undefined>>) => boolean
}

const question = (flag: string, name: SettingName, ask: string, suggested: string): Question => ({
  flag,
  ask,
  settings: (answer) => ({ [name]: answer }),
  before: (env) => env[name],
  unset: settingsTable.find((row) => row.name === name)?.default ?? '',
  suggested,
})

const TITLE = '# The settings of Kim Phiên, by npm run setup'

/** @param isRoot true to set up a system service, false to set up a folder for one person */
export const questionsFor = (isRoot: boolean): readonly Question[] => [
  {
    flag: 'domain',
    ask: 'The name that people type, such as kim.example (empty: this machine alone)',
    // The proxy that ends TLS is expected on this machine, so the loopback addresses are trusted.
    settings: (domain): Partial<Record<SettingName, string>> =>
      domain === ''
        ? {}
        : { PUBLIC_ORIGIN: domain.includes('://') ? domain : `https://${domain}`, TRUST_PROXY: '127.0.0.1,::1' },
    before: (env) => env['PUBLIC_ORIGIN']?.replace(/^https:\/\//, ''),
    unset: '',
    suggested: '',
  },
  question('port', 'PORT', 'The port on this machine', '3000'),
  question('data-dir', 'DATA_DIR', 'The folder of the data', isRoot ? '/var/lib/kim-phien' : './data'),
  question(
    'admin',
    'ADMIN_USERNAME',
    'The first administrator’s name (its password is printed at the first start)',
    'admin',
  ),
  question(
    'contact',
    'SUPPORT_CONTACT',
    'Whom people turn to who cannot sign in: an address, a number',
    'quản trị viên',
  ),
  question('referral-code', 'REFERRAL_CODE', 'The code that a newcomer has to enter', 'KIMPHIEN'),
  question(
    'referral',
    'REFERRAL_REQUIRED',
    'Whether everybody may see that code: public, or secret as a gate',
    'public',
  ),
  question(
    'gold',
    'GOLD_FEED',
    'Gold’s price: simulated, swissquote (live, no key) or pyth (live, with a key)',
    'simulated',
  ),
  {
    ...question('pyth-key', 'PYTH_API_KEY', 'The key for pyth, from https://pyth.network (empty: none)', ''),
    isAsked: ({ GOLD_FEED }) => GOLD_FEED === 'pyth',
  },
  question('backup-every', 'BACKUP_EVERY', 'Minutes between backups, or off', '15'),
  question(
    'backup-dir',
    'BACKUP_DIR',
    'The folder of the backups, best on another disk (empty: in the folder of the data)',
    '',
  ),
  question('second-factor', 'STAFF_SECOND_FACTOR', 'A second factor of staff: off, optional or required', 'optional'),
]

export function refuse({ settings }: Question, answer: string): string | null {
  if (answer.includes('\n')) return 'One line is allowed'
  const given: Readonly<Record<string, string | undefined>> = settings(answer)
  const row = settingsTable.find(({ name, read }) => (given[name] ?? '') !== '' && read(given[name] ?? '') === null)
  return row === undefined ? null : `${row.name}: allowed is ${row.allowed}`
}

function quoted(text: string): string {
  return /^[\w./:@,+-]+$/.test(text) ? text : `"${text.replaceAll(/[\\"`$]/g, String.raw`\$&`)}"`
}

export const isWrittenBySetup = (text: string): boolean => text.startsWith(TITLE)

/**
 * Returns the text of the settings file, in which a setting at its default is a comment. Unknown settings are kept.
 * @throws Error when a value would be read back differently
 */
export function settingsFileText(values: Readonly<Record<string, string>>): string {
  const lines = [`${TITLE}; all there are: docs/settings.md. They hold secrets.`, '']
  const names = new Set<string>()
  for (const { name, meaning, default: preset, allowed } of settingsTable) {
    names.add(name)
    const text = values[name] ?? ''
    if (text === '') continue
    lines.push(`# ${meaning}`, `# Allowed: ${allowed}`, `${text === preset ? '# ' : ''}${name}=${quoted(text)}`, '')
  }
  for (const [name, text] of Object.entries(values)) if (!names.has(name)) lines.push(`${name}=${quoted(text)}`)
  const file = `${lines.join('\n').trimEnd()}\n`
  const read = parseSettingsFile(file)
  for (const [name, text] of Object.entries(values)) {
    const preset = settingsTable.find((row) => row.name === name)?.default
    if (text !== '' && text !== preset && read[name] !== text) throw new Error(`${name} cannot be written to a file`)
  }
  return file
}
