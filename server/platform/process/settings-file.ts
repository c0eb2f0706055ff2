/**
 * Parses settings by the rules of systemd's EnvironmentFile (systemd.exec(5)), which differ from a shell's: nothing is
 * expanded, and a `#` within a line is part of the value. A value goes on in the next line after a backslash at the end
 * of a line, and inside quotes. Of two lines with the same name, the later one counts.
 */
export function parseSettingsFile(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const { key, quoted, plain } of linesOf(text))
    if (key !== null) values[key] = readQuoted(quoted) + readPlain(plain)
  return values
}

/**
 * Returns a sentence for each line of the file at `path` that is neither empty nor a comment and sets nothing, such as
 * `export PORT=1`. The line is not quoted: it may have a secret. A byte order mark, which systemd does not skip, is named,
 * because nobody sees it.
 */
export const ignoredLines = (path: string, text: string): string[] =>
  linesOf(text).flatMap(({ key, startsAt }) => {
    if (key !== null) return []
    const mark = startsAt === 0 && text.startsWith('\uFEFF') ? ', without the byte order mark before it' : ''
    const number = text.slice(0, startsAt).split('\n').length
    return [`${path}, line ${number} sets nothing: a setting is NAME=value${mark}`]
  })

function linesOf(text: string) {
  const line =
    /[ \t\r\n]*(?:[#;](?:\\[^]|[^\\\r\n])*|(?<name>[^ \t\r\n][^=\r\n]*)(?:=(?<quoted>(?:[ \t]|'[^']*(?:'|$)|"(?:\\[^]?|[^"\\])*(?:"|$))*)(?<plain>(?:\\[^]?|[^\\\r\n])*))?)/g
  return Array.from(text.matchAll(line)).flatMap(({ 0: match, index, groups }) => {
    const name = groups?.['name']?.trimEnd()
    if (name === undefined) return []
    const [quoted, plain = ''] = [groups?.['quoted'], groups?.['plain']]
    const key = quoted !== undefined && /^[A-Za-z_]\w*$/.test(name) ? name : null
    return [{ key, quoted: quoted ?? '', plain, startsAt: index + match.search(/[^ \t\r\n]/) }]
  })
}

/**
 * Inside double quotes, a backslash is removed before a double quote, a dollar, a backtick or another backslash. A
 * backslash before a line break is removed together with the line break. Inside single quotes, every backslash stays.
 */
const readQuoted = (text: string): string =>
  [...text.matchAll(/'([^']*)'?|"((?:\\[^]?|[^"\\])*)"?/g)]
    .map(
      ([, single, double = '']) => single ?? double.replaceAll(/\\(?:([`"$\\])|\n|$)/g, (_, kept: string = '') => kept),
    )
    .join('')

/**
 * Outside quotes, a backslash is removed and the character after it stays, even another backslash. Only a line break is
 * removed together with its backslash. Spaces and tabs at the end are removed, except for one right after a backslash.
 */
const readPlain = (text: string): string =>
  (/^(?:\\[^]?|[^\\])*?(?=[ \t]*$)/.exec(text)?.[0] ?? '').replaceAll(/\\([^]?)/g, (_, escaped: string) =>
    /[\r\n]/.test(escaped) ? '' : escaped,
  )
