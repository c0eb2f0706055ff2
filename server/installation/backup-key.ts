import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fromBase64, toBase64 } from '#domain/book/bytes.ts'
import { readKeyFile, readOrCreateKeyFile } from '#server/platform/process/key-file.ts'
import type { Settings } from '#server/platform/process/settings.ts'

const KEY_BYTES = 32
export const BACKUP_KEY_FILE = 'backup.key'

/**
 * Returns the key that encrypts backups: BACKUP_KEY, or a file in DATA_DIR.
 * @param create whether to make a missing file; false for a restore, which needs the key that encrypted the backup
 * @throws Error with one line for the operator when the key is missing or malformed
 */
export function loadBackupKey(
  { backupKey, dataDir }: Pick<Settings, 'backupKey' | 'dataDir'>,
  create: boolean,
): Uint8Array {
  if (backupKey !== null) return decode(backupKey, 'BACKUP_KEY')
  const path = join(dataDir, BACKUP_KEY_FILE)
  const text = create ? readOrCreateKeyFile(path, () => toBase64(randomBytes(KEY_BYTES))) : readKeyFile(path)
  if (text === null) throw new Error(`Set BACKUP_KEY, or put the ${BACKUP_KEY_FILE} of the backup into ${dataDir}.`)
  return decode(text, path)
}

function decode(text: string, where: string): Uint8Array {
  const bytes = fromBase64(text)
  if (bytes?.length !== KEY_BYTES) throw new Error(`${where} is not a key of backups: 32 bytes in base64.`)
  return bytes
}
