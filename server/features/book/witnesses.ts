import { parseDecimal } from '#domain/book/checkpoint.ts'
import { formatSignature, type VerifierKey, verifyNote } from '#domain/book/note.ts'
import { consistencyProof } from '#domain/book/tiles.ts'
import { formatAddCheckpoint } from '#domain/book/witness.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { verifyEd25519 } from './key.ts'
import type { OpenBook } from './open-book.ts'
import type { SignedHead } from './sealing.ts'
import { computeFromTiles } from './stored-tiles.ts'

/** A witness is a server that cosigns the newest note (c2sp.org/tlog-witness). Sealing does not wait for witnesses. */

export interface BookWitness {
  readonly key: VerifierKey
  readonly url: string
}

export interface WitnessesDeps {
  readonly db: Database
  readonly book: Pick<OpenBook, 'head' | 'stopWhy' | 'stopSigning'>
  readonly witnesses: readonly BookWitness[]
  readonly log: Logger
  readonly askEveryMs?: number
  readonly timeoutMs?: number
}

const ASK_EVERY_MS = 10_000
const TIMEOUT_MS = 5_000
const MOST_ANSWER = 16_384

interface Asked extends BookWitness {
  generation: number
  size: number
  problem: string | null
}

/** Asks all witnesses at intervals to cosign the newest note. Call the returned `Stop` before closing the database. */
export function askWitnesses(deps: WitnessesDeps): Stop {
  const { db, book, witnesses, log, askEveryMs = ASK_EVERY_MS, timeoutMs = TIMEOUT_MS } = deps
  const asked = witnesses.map((witness): Asked => ({ ...witness, generation: 0, size: 0, problem: null }))

  const note = (witness: Asked, problem: string | null): null => {
    const { name } = witness.key
    if (problem === null && witness.problem !== null) log.info({ witness: name }, 'A witness signs the open book again')
    if (problem !== null && witness.problem !== problem)
      log.warn({ witness: name, problem }, 'A witness does not sign the open book; it is asked again')
    witness.problem = problem
    return null
  }

  async function ask(witness: Asked, head: SignedHead, stopping: AbortSignal, isAgain = false): Promise<string | null> {
    const { key, url } = witness
    if (witness.generation !== head.generation) Object.assign(witness, { generation: head.generation, size: 0 })
    // The witness has already signed a later note, which another process has sent.
    if (witness.size > head.size) return null
    const proof = await computeFromTiles(db, head.generation, head.size, (hash, read) =>
      consistencyProof(hash, read, witness.size, head.size),
    )
    const body = formatAddCheckpoint({ oldSize: witness.size, proof, checkpoint: head.note })
    const { status, text } = await post(
      `${url}/add-checkpoint`,
      body,
      AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    )
    if (status === 200) {
      const verified = verifyNote(`${head.note}${text}`, [key], verifyEd25519)
      if (typeof verified === 'string') return note(witness, `its answer is ${verified}`)
      witness.size = head.size
      note(witness, null)
      return verified.verified.map(({ line }) => formatSignature(line)).join('')
    }
    if (status === 422) {
      const detail = `${key.name} refused ${witness.size} → ${head.size}: it has signed another log`
      if (witness.size > 0) await stopSigning(book, head, detail)
      return note(witness, 'it has signed another log')
    }
    const size = status === 409 ? parseDecimal(text.trimEnd()) : null
    if (size === null) return note(witness, `it answers ${status}`)
    if (size > head.size && size > (await storedSize(db, head.generation))) {
      await stopSigning(book, head, `${key.name} has signed ${size} entries; the database has fewer`)
      return null
    }
    witness.size = size
    return isAgain ? null : ask(witness, head, stopping, true)
  }

  async function turn(stopping: AbortSignal): Promise<void> {
    const head = book.head()
    if (head === null || book.stopWhy() !== null) return
    let lines = ''
    await Promise.all(
      asked.map(async (witness) => {
        try {
          const line = await ask(witness, head, stopping)
          if (line === null) return
          lines += line
          await store(db, head, lines)
        } catch (error) {
          if (!stopping.aborted) note(witness, reasonOf(error))
        }
      }),
    )
  }

  return repeating(askEveryMs, turn, logging(log, 'The witnesses could not be asked', 'error'))
}

/** Ends the signing of a note's log, unless that log has ended: a late answer about it says nothing of the next. */
async function stopSigning(book: WitnessesDeps['book'], { generation }: SignedHead, detail: string): Promise<void> {
  if (book.head()?.generation === generation) await book.stopSigning('WITNESS', detail)
}

/** Reads the log's size from the database: another process may have sealed entries that this process has not seen. */
async function storedSize(db: Database, generation: number): Promise<number> {
  const { rows } = await db.query<{ size: bigint }>('select size from book_tips where generation = $1', [generation])
  return Number(rows[0]?.size ?? 0)
}

const store = (db: Database, head: SignedHead, lines: string) =>
  db.query(
    `update book_tips set witnessed_note = $2
      where generation = $1 and coalesce(split_part(witnessed_note, e'\\n', 2)::bigint, 0) <= $3::bigint`,
    [head.generation, `${head.note}${lines}`, BigInt(head.size)],
    { name: 'book_witnessed' },
  )

async function post(url: string, body: string, signal: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    redirect: 'error',
    signal,
  })
  // Signatures are short: an answer of more than MOST_ANSWER bytes is an error.
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > MOST_ANSWER) throw new Error('its answer is too long')
    parts.push(part)
  }
  return { status: response.status, text: Buffer.concat(parts).toString('utf8') }
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
