import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '#server/platform/database/db.ts'
import type { Proven } from './ports.ts'
import { readTyped } from './totp.ts'

const CODES = 10
const CODE_BYTES = 10

/** The alphabet of base32 (RFC 4648 §6), in lower case. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Makes a code of 80 random bits, too many for a search by brute force, in four groups of four characters. */
function newCode(): string {
  const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{5}/g)?.map((five) => ALPHABET[Number.parseInt(five, 2)]) ?? []
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

const hashOf = (code: string): Uint8Array => hash('sha256', readTyped(code).toLowerCase(), 'buffer')

/** Replaces a user's recovery codes and returns the new ones, of which only hashes are stored. */
export async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await tx.query(`delete from recovery_codes where user_id = $1`, [userId])
  await tx.query(`insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])`, [
    userId,
    codes.map(hashOf),
  ])
  return codes
}

export async function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<Proven> {
  const { rows } = await tx.query<{ is_used: boolean }>(
    `select used_at is not null as is_used from recovery_codes where user_id = $1 and code_hash = $2`,
    [userId, hashOf(code)],
  )
  if (rows[0] === undefined) return 'wrong'
  if (rows[0].is_used) return 'used'
  await tx.query(`update recovery_codes set used_at = clock_timestamp() where user_id = $1 and code_hash = $2`, [
    userId,
    hashOf(code),
  ])
  return 'right'
}
