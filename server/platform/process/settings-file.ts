/**
 * By the rules of systemd's EnvironmentFile (systemd.exec(5)), which are not a shell's: nothing is expanded, a `#`
 * within a line is part of its value, a value goes on over its line's end after a backslash or inside quotes, and what
 * stands beside a quoted part belongs to the value, too. Of two lines for one name the later one counts.
 */
export function parseSettingsFile(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  const line =
    /[ \t\r\n]*(?:[#;](?:\\[^]|[^\\\r\n])*|(?<name>[^ \t\r\n][^=\r\n]*)(?:=(?<quoted>(?:[ \t]|'[^']*(?:'|$)|"(?:\\[^]?|[^"\\])*(?:"|$))*)(?<plain>(?:\\[^]?|[^\\\r\n])*))?)/g
  for (const { groups: { name = '', quoted, plain = '' } = {} } of text.matchAll(line)) {
    const key = name.trimEnd()
    if (quoted !== undefined && /^[A-Za-z_]\w*$/.test(key)) values[key] = readQuoted(quoted) + readPlain(plain)
  }
  return values
}

/** A backslash is dropped only before a quote, a dollar, a backtick and a backslash, and joins lines. */
const readQuoted = (text: string): string =>
  [...text.matchAll(/'([^']*)'?|"((?:\\[^]?|[^"\\])*)"?/g)]
    .map(
      ([, single, double = '']) => single ?? double.replaceAll(/\\(?:([`"$\\])|\n|$)/g, (_, kept: string = '') => kept),
    )
    .join('')

/** Spaces at the end do not count, unless a backslash stands before them. */
const readPlain = (text: string): string =>
  (/^(?:\\[^]?|[^\\])*?(?=[ \t]*$)/.exec(text)?.[0] ?? '').replaceAll(/\\([^]?)/g, (_, escaped: string) =>
    /[\r\n]/.test(escaped) ? '' : escaped,
  )
