import { resolve } from 'node:path'
import { stripVTControlCharacters, styleText } from 'node:util'

export type Welcome = {
  readonly address: string
  readonly firstAdmin: { readonly username: string; readonly password: string } | null
  readonly databaseUrl: string | null
  readonly dataDir: string
}

export function welcome({ address, firstAdmin, databaseUrl, dataDir }: Welcome): string {
  const rows: (readonly [term: string, text: string])[] = [
    ['Address', styleText('bold', address)],
    ...(firstAdmin === null
      ? []
      : ([
          ['Administrator', firstAdmin.username],
          ['Password', `${styleText('bold', firstAdmin.password)}  (change it after signing in)`],
        ] as const)),
    ['Data', databaseUrl === null ? resolve(dataDir) : 'PostgreSQL (DATABASE_URL)'],
    ['Stop', 'Ctrl+C'],
  ]
  const lines = [
    styleText(['bold', 'yellow'], 'Kim Phiên is ready'),
    ...rows.map(([term, text]) => `${term.padEnd(15)}${text}`),
  ]
  const width = Math.max(...lines.map((line) => stripVTControlCharacters(line).length))
  const framed = lines.map((line) => `│ ${line}${' '.repeat(width - stripVTControlCharacters(line).length)} │`)
  const edge = '─'.repeat(width + 2)
  return [`╭${edge}╮`, ...framed, `╰${edge}╯`].join('\n')
}
