import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] })

/**
 * The versions before this one, newest first: TEST_RELEASE alone where it is set, else the last tags `v…`, else the commits before
 * those that brought the newest migrations; empty where git knows none of them, as in a copy without its history.
 */
export function lastReleases(count: number): readonly string[] {
  const named = process.env['TEST_RELEASE'] ?? ''
  if (named !== '') return [named]
  const tags = ask('tag', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname', '--list', 'v*')
  return (tags?.split('\n') ?? beforeNewestMigrations(count)).slice(0, count)
}

export const lastRelease = (): string | null => lastReleases(1)[0] ?? null

function beforeNewestMigrations(count: number): readonly string[] {
  const newest = readdirSync(join(root, 'server/migrations')).toSorted().slice(-count).toReversed()
  // Also by a merge that numbered it anew.
  const ofMain = ['--first-parent', '-m', '--diff-filter=A']
  const before = newest.map((name) => {
    const brought = ask('log', '-1', ...ofMain, '--format=%H', '--', `server/migrations/${name}`)
    return brought === null ? null : ask('rev-parse', '--verify', '--short', `${brought}^`)
  })
  return [...new Set(before.filter((commit) => commit !== null))]
}

/** The output of git; null where it fails or has nothing to say. */
function ask(...args: string[]): string | null {
  try {
    return (
      git(...args)
        .toString()
        .trim() || null
    )
  } catch {
    return null
  }
}

/** Writes the files of a release into a folder, with the libraries that its server needs. */
export function unpackRelease(release: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', '--format=tar', `${release}^{commit}`) })
  const libraries = join(folder, 'node_modules')
  symlinkSync(join(root, 'node_modules'), libraries)
  if (hasOwnVersions(folder) && canLoad(folder)) return
  rmSync(libraries)
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' })
}

/** Whether every library of a release that is still one of ours has the same version. */
function hasOwnVersions(folder: string): boolean {
  const lockOf = (place: string) =>
    (JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8')) as Lock).packages
  const ours = lockOf(root)
  return Object.entries(lockOf(folder)).every(
    ([path, { version }]) => path === '' || (ours[path]?.version ?? version) === version,
  )
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}

/** Whether its server loads all its imports at the start: a message of it is then about a setting. */
const canLoad = (folder: string): boolean =>
  spawnSync(process.execPath, ['server/main.ts'], { cwd: folder, env: { PORT: 'no' } }).stderr.includes('PORT: ')
