import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] })

/**
 * The version before this one: TEST_RELEASE where it is set, else the last tag `v…`; null where git has no such tag.
 */
export function lastRelease(): string | null {
  const named = process.env['TEST_RELEASE'] ?? ''
  if (named !== '') return named
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*').toString().trim()
  } catch {
    return null
  }
}

/** Writes the files of a release into a folder, with the libraries that its server needs. */
export function unpackRelease(release: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', '--format=tar', `${release}^{commit}`) })
  const lockOf = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' })
}
