/**
 * Parses settings by the rules of systemd's EnvironmentFile (systemd.exec(5)), which are not a shell's. Nothing is
 * expanded; a `#` within a line is part of its value; a value continues over the end of its line after a backslash or
 * inside quotes; text beside a quoted part belongs to the value, too. Of two lines for one name, the later one counts.
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

/**
 * Inside double quotes, a backslash is removed before a double quote, a dollar, a backtick or another backslash, and at
 * the end of a line, which it joins with the next line. Single quotes keep every backslash.
 */
const readQuoted = (text: string): string =>
  [...text.matchAll(/'([^']*)'?|"((?:\\[^]?|[^"\\])*)"?/g)]
    .map(
      ([, single, double = '']) => single ?? double.replaceAll(/\\(?:([`"$\\])|\n|$)/g, (_, kept: string = '') => kept),
    )
    .join('')

/**
 * A backslash is removed, and so is a line break after it; any other character after it stays. Spaces and tabs at the
 * end are dropped, except one right after a backslash.
 */
const readPlain = (text: string): string =>
  (/^(?:\\[^]?|[^\\])*?(?=[ \t]*$)/.exec(text)?.[0] ?? '').replaceAll(/\\([^]?)/g, (_, escaped: string) =>
    /[\r\n]/.test(escaped) ? '' : escaped,
  )
