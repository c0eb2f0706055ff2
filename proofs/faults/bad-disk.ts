import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasProgram } from '../../bench/scratch.ts'

const sourcePath = fileURLToPath(new URL('bad-disk.c', import.meta.url))

/** The byte that stands for each mode in bad-disk.c. */
const MODES = {
  good: 'g',
  'fsync takes 700 ms longer': 's',
  'EIO at fsync': 'e',
  'EIO at write': 'w',
  'ENOSPC for growing files': 'f',
  'ENOSPC at every write': 'F',
} as const
export type DiskMode = keyof typeof MODES

/** A folder as on a disk that can be made slow, broken or full, for processes started with `env`. */
export interface BadDisk {
  readonly env: Record<string, string>
  set(mode: DiskMode): void
  /** Takes away everything that was written and not synced, like a power cut. No process may be using the folder. */
  cutPower(): void
  remove(): void
}

/** Makes the library; throws with the `apt-get` line where there is no compiler. */
export function makeBadDisk(folder: string): BadDisk {
  const compiler = ['cc', 'gcc'].find(hasProgram)
  if (compiler === undefined)
    throw new Error('This fault needs programs that are not here: apt-get install gcc libc6-dev')
  const own = mkdtempSync(join(tmpdir(), 'kim-phien-disk-'))
  const [library, modeFile, kept] = [join(own, 'bad-disk.so'), join(own, 'mode'), join(own, 'kept')]
  execFileSync(compiler, ['-O2', '-shared', '-fPIC', '-Wall', '-Werror', '-o', library, sourcePath])
  writeFileSync(modeFile, MODES.good)
  mkdirSync(kept)
  // The database's processes may run as another user.
  chmodSync(own, 0o755)
  chmodSync(kept, 0o777)
  const env = { LD_PRELOAD: library, BAD_DISK_FOLDER: folder, BAD_DISK_KEPT: kept, BAD_DISK_MODE: modeFile }
  return {
    env,
    set(mode) {
      // Written in place, since the file is mapped.
      const file = openSync(modeFile, 'r+')
      writeSync(file, MODES[mode], 0)
      closeSync(file)
    },
    cutPower() {
      const names = new Set(readdirSync(kept))
      for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const { ino, birthtimeNs } = statSync(path, { bigint: true })
        const name = `${ino}-${birthtimeNs}`
        if (names.has(name)) putBack(path, readFileSync(join(kept, name)))
      }
      for (const name of names) rmSync(join(kept, name))
    },
    remove: () => rmSync(own, { recursive: true, force: true }),
  }
}

/** Offset, length and the file's size before the write, 8 bytes each; then the bytes that it replaced. */
const HEAD_BYTES = 24

function putBack(path: string, kept: Buffer): void {
  const starts: number[] = []
  for (let at = 0; at + HEAD_BYTES <= kept.length; at += HEAD_BYTES + Number(kept.readBigInt64LE(at + 8)))
    starts.push(at)
  if (starts.length === 0) return
  const file = openSync(path, 'r+')
  try {
    for (const at of starts.toReversed()) {
      const [offset, length, size] = [0, 8, 16].map((field) => Number(kept.readBigInt64LE(at + field)))
      ftruncateSync(file, size)
      if (length !== undefined && length > 0) writeSync(file, kept, at + HEAD_BYTES, length, offset)
    }
  } finally {
    closeSync(file)
  }
}
