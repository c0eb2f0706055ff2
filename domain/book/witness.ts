import { fromBase64, type Sha256, toBase64 } from './bytes.ts'
import { type Checkpoint, parseCheckpoint, parseDecimal } from './checkpoint.ts'
import { HASH_BYTES, isConsistent, rootOf } from './merkle.ts'
import { type NoteSignature, parseNote, type VerifierKey, type VerifyEd25519, verifyNote } from './note.ts'

/* The request that a log sends to a witness, and the witness's decision (c2sp.org/tlog-witness, add-checkpoint). */

type AddCheckpoint = Readonly<NonNullable<ReturnType<typeof parseAddCheckpoint>>>

const MOST_PROOF_LINES = 63

export const formatAddCheckpoint = ({ oldSize, proof, checkpoint }: AddCheckpoint): string =>
  [`old ${oldSize}`, ...proof.map(toBase64), '', checkpoint].join('\n')

export function parseAddCheckpoint(body: string) {
  const split = body.indexOf('\n\n')
  if (split < 0) return null
  const [first = '', ...lines] = body.slice(0, split).split('\n')
  const oldSize = first.startsWith('old ') ? parseDecimal(first.slice('old '.length)) : null
  const proof = lines.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES)
  if (oldSize === null || proof.length !== lines.length || proof.length > MOST_PROOF_LINES) return null
  return { oldSize, proof: proof as readonly Uint8Array[], checkpoint: body.slice(split + 2) }
}

export type WitnessDecision =
  | {
      readonly status: 200
      readonly checkpoint: Checkpoint
      readonly text: string
      readonly signature: NoteSignature
    }
  | { readonly status: 400 | 403 | 404 | 422 }
  | { readonly status: 409; readonly size: number }

/**
 * Decides whether a witness signs a checkpoint.
 * @param keys the keys of the logs that the witness watches; several keys may share an origin
 * @param lastOf returns the newest checkpoint that the witness signed for an origin; null if it signed none
 */
export function decideCheckpoint(
  sha256: Sha256,
  verifyEd25519: VerifyEd25519,
  keys: readonly VerifierKey[],
  lastOf: (origin: string) => Checkpoint | null,
  body: string,
): WitnessDecision {
  const request = parseAddCheckpoint(body)
  const checkpoint = parseCheckpoint(parseNote(request?.checkpoint ?? '')?.text ?? '')
  if (request === null || checkpoint === null) return { status: 400 }
  const own = keys.filter(({ name }) => name === checkpoint.origin)
  if (own.length === 0) return { status: 404 }
  const verified = verifyNote(request.checkpoint, own, verifyEd25519)
  const [signature] = typeof verified === 'string' ? [] : verified.verified
  if (typeof verified === 'string' || signature === undefined) return { status: 403 }
  const { oldSize, proof } = request
  if (oldSize > checkpoint.size) return { status: 400 }
  const last = lastOf(checkpoint.origin)
  if (oldSize !== (last?.size ?? 0)) return { status: 409, size: last?.size ?? 0 }
  const oldRoot = last?.root ?? rootOf(sha256, [])
  return isConsistent(sha256, { oldSize, oldRoot, newSize: checkpoint.size, newRoot: checkpoint.root, proof })
    ? { status: 200, checkpoint, text: verified.text, signature: signature.line }
    : { status: 422 }
}
