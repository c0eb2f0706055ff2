import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BookAnswer, type BookHead, openBookSource } from '#domain/book/book-source.ts'
import { sha256, verifyEd25519 } from './test-log.ts'

/*
 * checks/book-go: a checker of the log by Go's own packages, which shares no code with the product.
 */

const GO_PATH = '/usr/share/gocode'
/** Whether the checker can be built. CI installs both packages. */
export const hasGo =
  spawnSync('go', ['version']).status === 0 && existsSync(`${GO_PATH}/src/golang.org/x/mod/sumdb/tlog/tlog.go`)

export interface GoChecker {
  write(name: string, bytes: Uint8Array | string): void
  read(name: string): Buffer
  /** Writes every file of a log that a reader of the whole asks for, and the tiles of all leaves. */
  mirror(get: (path: string) => Promise<BookAnswer>): Promise<BookHead>
  /** The exit status and the printed text. */
  run(): readonly [status: number | null, output: string]
  remove(): void
}

/** Builds the checker, and gives it a folder of its own. */
export function buildGoChecker(): GoChecker {
  const folder = mkdtempSync(join(tmpdir(), 'book-go-'))
  const program = join(folder, 'book-go')
  const files = join(folder, 'log')
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: fileURLToPath(new URL('../../checks/book-go', import.meta.url)),
    env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: GO_PATH, GOCACHE: join(folder, 'cache') },
  })
  const write = (name: string, bytes: Uint8Array | string): void => {
    mkdirSync(dirname(join(files, name)), { recursive: true })
    writeFileSync(join(files, name), bytes)
  }
  return {
    write,
    read: (name) => readFileSync(join(files, name)),
    async mirror(get) {
      const source = await openBookSource({
        sha256,
        verifyEd25519,
        get: async (path) => {
          const answer = await get(path)
          write(path.slice('/log/'.length), answer.bytes)
          return answer
        },
      })
      const head = await source.head()
      for await (const { first } of source.entries(head, 0, head.size)) await source.leafHashAt(head, first)
      return head
    },
    run() {
      const { status, stdout } = spawnSync(program, [files], { encoding: 'utf8' })
      return [status, stdout]
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
