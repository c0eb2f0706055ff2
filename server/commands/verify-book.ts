import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  BookFaultError,
  BookHostError,
  type BookSource,
  type KnownLog,
  openBookSource,
} from '#domain/book/book-source.ts'
import {
  checkBook,
  type CheckResult,
  checkProof,
  type CheckStep,
  originOfProof,
  type StepProgress,
} from '#domain/book/check-book.ts'
import type { Fault } from '#domain/book/faults.ts'
import { parseVkey } from '#domain/book/note.ts'
import { sha256, verifyEd25519 } from '#server/features/book/index.ts'
import { bookOverHttp, HostAwayError } from './book-over-http.ts'
import { watchElsewhere } from './verify-elsewhere.ts'

/**
 * `npm run verify`: checks the public log of a host by computing its results again, and compares the host's other pages
 * with it (docs/open-book.md §5); with `--proof`, checks one bet. Exit codes: 0 all is right; 1 faults; 2 wrong
 * arguments, no log or no proper answer of the host, or a bad state file; 3 right so far, but something is pending.
 */
const USAGE = `npm run verify -- https://host [--all | --rounds N] [--key vkey] [--proof file] [--state file]

  --all         kiểm tra toàn bộ sổ (mặc định) · the whole log (default)
  --rounds N    chỉ N phiên đã kết thúc gần nhất · the last N closed rounds
  --key vkey    khóa của sổ mà bạn đã biết · the log's key, where you know it
  --proof file  kiểm tra một tệp bằng chứng (.tlog-proof) · one proof of a bet
  --state file  nhớ khóa và ghi chú mới nhất cho lần sau · keeps key and newest note for the next time
`

const STEPS: Readonly<Record<CheckStep, string>> = {
  note: 'Chữ ký của sổ (note)',
  entries: 'Từng dòng nằm trong sổ (entries)',
  rounds: 'Các phiên và kết quả (rounds)',
  bets: 'Tính lại từng lệnh (bets)',
  prices: 'Giá mô phỏng theo mầm đã mở (prices)',
}
const STATES: Readonly<Record<StepProgress['state'], string>> = {
  running: '…',
  right: 'ĐÚNG',
  wrong: 'SAI',
  pending: 'CHƯA THỂ KẾT LUẬN',
  stopped: 'ĐÃ DỪNG',
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const warn = (line: string): void => void process.stderr.write(`${line}\n`)

class UsageError extends Error {
  override readonly name = 'UsageError'
}

try {
  process.exitCode = await verify()
} catch (error) {
  if (error instanceof BookFaultError) {
    printFault(error.fault)
    process.exitCode = 1
  } else if (error instanceof BookHostError) {
    warn(
      error.status === 404
        ? `Máy chủ này chưa có sổ (no log here): ${error.path}`
        : `Máy chủ trả lời không hợp lệ (not an answer of a log): ${error.path}: ${error.status}`,
    )
    process.exitCode = 2
  } else if (error instanceof HostAwayError || error instanceof UsageError) {
    warn(error.message)
    process.exitCode = 2
  } else throw error
}

async function verify(): Promise<number> {
  const { base, rounds, vkey, proof, statePath } = readArguments()
  const known = statePath === null ? [] : readState(statePath)
  const open = (more: { vkey?: string; origin?: string | undefined }): Promise<BookSource> =>
    openBookSource({ get: bookOverHttp(base), sha256, verifyEd25519, wait: (ms) => sleep(ms), known, ...more })

  // Without `--key`, checks the log that the proof names or, without a proof, the newest log. The key of the log comes
  // from the state file or, if the file does not have this log, from the host.
  const source = await open(vkey === null ? { origin: proof === null ? undefined : originOfProof(proof) } : { vkey })
  const { origin } = source.log
  if (vkey === null && !known.some((log) => log.origin === origin)) warnOfKey(base, source.log.vkey, known.length > 0)

  // The other logs of the state file must still have all entries that an earlier run saw.
  for (const log of known) {
    if (log.origin === origin) continue
    const before = await open({ origin: log.origin })
    await before.head()
    print(`Sổ đã biết vẫn nguyên vẹn (a known log still has all that it had): ${log.origin}`)
  }

  const tell = stepPrinter()
  const options = { sha256, onStep: tell.onStep }
  const elsewhere = watchElsewhere(source, bookOverHttp(base))
  const checked =
    proof === null
      ? await checkBook(elsewhere.source, { ...options, rounds, readsReceipts: true })
      : await checkProof(source, proof, options)
  const more =
    proof === null && checked.faultCount === 0 && checked.head !== null ? await elsewhere.compare(checked.head) : []
  const result: CheckResult =
    more.length === 0 ? checked : { ...checked, state: 'wrong', faults: more, faultCount: more.length }
  tell.end()
  const exitCode = printResult(source, result)
  if (result.head === null || statePath === null) return exitCode
  const others = known.filter((log) => log.origin !== origin)
  try {
    writeState(statePath, [...others, { origin, vkey: source.log.vkey, note: result.head.note }])
    return exitCode
  } catch (error) {
    warn(`Không ghi được tệp (cannot write): ${(error as Error).message}`)
    return exitCode === 1 ? 1 : 2
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        rounds: { type: 'string' },
        key: { type: 'string' },
        proof: { type: 'string' },
        state: { type: 'string' },
      },
    })
    const [host = '', ...more] = positionals
    const base = URL.canParse(host) ? new URL(host) : null
    const { all = false, rounds = null, key = null, proof = null, state = null } = values
    const isCount = rounds === null || /^[1-9]\d{0,8}$/.test(rounds)
    const modes = [all, rounds !== null, proof !== null].filter(Boolean)
    if (more.length > 0 || base === null || !/^https?:$/.test(base.protocol) || !isCount || modes.length > 1)
      throw new UsageError(USAGE)
    if (key !== null && parseVkey(sha256, key) === null)
      throw new UsageError(`--key ${key}: không phải khóa (not a vkey)`)
    return {
      base: `${base.origin}${base.pathname.replace(/\/+$/, '')}`,
      rounds: rounds === null ? ('all' as const) : Number(rounds),
      vkey: key,
      proof: proof === null ? null : readText(proof),
      statePath: state,
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`Không đọc được tệp (cannot read): ${path}`)
  }
}

function readState(path: string): KnownLog[] {
  if (!existsSync(path)) return []
  const damaged = new UsageError(`${path}: không phải tệp trạng thái (not a state file)`)
  try {
    const { logs } = JSON.parse(readText(path)) as { logs?: unknown }
    if (!Array.isArray(logs)) throw damaged
    for (const log of logs as Array<Partial<Record<keyof KnownLog, unknown>>>)
      if (typeof log.origin !== 'string' || typeof log.vkey !== 'string' || typeof log.note !== 'string') throw damaged
    return logs as KnownLog[]
  } catch (error) {
    throw error instanceof UsageError ? error : damaged
  }
}

/** Writes a new file and then renames it, so that an interrupted run leaves no incomplete file at `path`. */
function writeState(path: string, logs: readonly KnownLog[]): void {
  writeFileSync(`${path}.new`, `${JSON.stringify({ logs }, null, 2)}\n`, { flush: true })
  renameSync(`${path}.new`, path)
}

function warnOfKey(base: string, vkey: string, isOtherLog: boolean): void {
  warn('!!! KHÔNG CÓ KHÓA ĐÃ BIẾT: tin theo khóa mà chính máy chủ đưa ra.')
  warn(`!!! No key is known${isOtherLog ? ' for this log' : ''}: the one that ${base} itself names is trusted.`)
  warn('!!! Hãy so với khóa bạn có từ nơi khác, rồi chạy với: --key')
  warn(`!!! ${vkey}`)
}

function stepPrinter() {
  const newest = new Map<CheckStep, StepProgress>()
  const count = ({ done, total }: StepProgress) =>
    total === null || total === done ? String(done) : `${done}/${total}`
  const isWatched = process.stderr.isTTY
  return {
    onStep: (progress: StepProgress): void => {
      newest.set(progress.step, progress)
      if (isWatched) process.stderr.write(`\r\u001b[K${STEPS[progress.step]}: ${count(progress)}`)
    },
    end() {
      if (isWatched) process.stderr.write('\r\u001b[K')
      for (const progress of newest.values())
        print(`${STATES[progress.state].padEnd(18)} ${STEPS[progress.step]}: ${count(progress)}`)
    },
  }
}

function printFault({ kind, index, round, expected, found }: Fault): void {
  const where = [index === null ? '' : ` dòng (entry) #${index}`, round === null ? '' : ` phiên (round) ${round}`].join(
    '',
  )
  print(`LỖI (fault): ${kind}${where}`)
  if (expected !== undefined) print(`  phải là (expected): ${String(expected)}`)
  if (found !== undefined) print(`  lại là (found):     ${String(found)}`)
}

function printResult(source: BookSource, { state, faults, faultCount, head, summary, settledBets }: CheckResult) {
  print('')
  print(`Sổ (log):               ${source.log.origin}, ${head?.size ?? 0} dòng (entries)`)
  print(
    `Phiên (rounds):         ${summary.rounds}, đã kết thúc (closed) ${summary.closed}, bị xóa (deleted) ${summary.deleted}`,
  )
  print(`Lệnh (bets):            ${summary.bets}, đã tính lại (recomputed) ${settledBets}`)
  print(`Chờ mở mầm (pending):   ${summary.pending}`)
  print(`Không hiểu (not understood): ${summary.notUnderstood}`)
  if (summary.outside > 0) print(`Ngoài phạm vi (of rounds that began before): ${summary.outside}`)
  if (summary.toMs !== null) print(`Đến (up to):            ${new Date(summary.toMs).toISOString()}`)
  const [first] = faults
  if (first !== undefined) {
    print('')
    printFault(first)
    if (faultCount > 1) print(`  và (and) ${faultCount - 1} lỗi khác (more)`)
    return 1
  }
  const isRight = state === 'right'
  print(
    isRight
      ? 'KHỚP: mọi kết quả đã kiểm tra đều tính lại được. (All that was checked is right.)'
      : 'KHỚP ĐẾN NAY: phần còn lại chờ mở mầm hoặc chờ phiên kết thúc. (Right so far; the rest is pending.)',
  )
  return isRight ? 0 : 3
}
