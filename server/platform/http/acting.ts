import type { Access, Admission, Subject } from '#domain/identity/permissions.ts'
import type { SharedRefusal } from '#contract/refusals.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { lockSubject } from './auth.ts'
import { isRefused, type Refused } from './errors.ts'

type Act<T> = (tx: Tx, actor: Subject) => Promise<T>

const locking =
  <T>(subject: Subject, access: Access | Admission, act: Act<T>) =>
  async (tx: Tx): Promise<T | Refused<SharedRefusal>> => {
    const actor = await lockSubject(tx, subject, access)
    return isRefused(actor) ? actor : act(tx, actor)
  }

export const acting = <T>(db: Database, subject: Subject, access: Access | Admission, act: Act<T>) =>
  retrying(db, locking(subject, access, act))

export const actingOnce = <T>(db: Database, subject: Subject, access: Access | Admission, act: Act<T>) =>
  db.tx(locking(subject, access, act))
