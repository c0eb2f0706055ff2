import { accessSync, constants, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/* If root makes files in DATA_DIR, the service's user cannot open them, and the next start of the service fails. */

/** Makes a process of root run as the owner of DATA_DIR or, if that is missing, of the nearest folder above. */
export function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = ownerOf(resolve(dataDir))
  if (uid === 0) return
  try {
    process.setgroups?.([gid])
    process.setgid?.(gid)
    process.setuid?.(uid)
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} belongs to user ${uid}; run this as that user: sudo -u '#${uid}' npm run …`, {
      cause: error,
    })
  }
  try {
    accessSync(nearestFolder(resolve(dataDir)), constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `DATA_DIR: user ${uid}, who owns ${dataDir}, cannot get to it: a unit with DynamicUser hides it from all but the service. See "As a service" in docs/operations.md.`,
      { cause: error },
    )
  }
}

export function nearestFolder(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? nearestFolder(dirname(folder)) : folder
}

const ownerOf = (folder: string): { readonly uid: number; readonly gid: number } => statSync(nearestFolder(folder))

export function findForeign(folder: string, uid: number = statSync(folder).uid): string | null {
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name)
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (entry === undefined) continue
    if (entry.uid !== uid) return path
    const found = entry.isDirectory() ? findForeign(path, uid) : null
    if (found !== null) return found
  }
  return null
}
