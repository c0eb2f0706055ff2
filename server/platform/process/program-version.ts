import { readFileSync } from 'node:fs'

/** The version of this program, such as 1.0.0. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version
