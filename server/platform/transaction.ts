import { AsyncLocalStorage } from 'node:async_hooks'
import { CommitUnknownError } from './db.ts'
import type { Param, QueryOptions, QueryResult, Row, Tx, TxOptions } from './db.ts'

export interface Answer<R> extends QueryResult<R> {
  /** The first word of the command tag, e.g. COMMIT. */
  readonly command: string
}

/** One connection of either engine: statements are answered in the order in which they were sent. */
export interface Link {
  send<R extends Row>(text: string, params?: readonly Param[], options?: QueryOptions): Promise<Answer<R>>
}

/**
 * True when the database itself refused the statement and stays usable. Everything else (a lost connection, a
 * terminated backend) says nothing about what happened to the statement.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (error as { severity?: unknown }).severity === 'ERROR'
}

/** The five-character SQLSTATE of a database error, or null for any other error. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : null
}

const lostConnections = new WeakSet<object>()

/** Notes that this error came of a connection that was lost or never made. Answers the error, to be thrown. */
export function connectionLost(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) lostConnections.add(error)
  return error
}

/** True for errors of a connection that was lost or never made, whatever the driver or the system called them. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof CommitUnknownError || (error instanceof Error && lostConnections.has(error))
}

/**
 * SQLSTATEs by which a database that answers says that it can't serve at present: connection exceptions (08),
 * insufficient resources such as connections (53), shutdown and start (57P), system errors such as a disk's (58),
 * read-only since a failover made another server the first (25006), over its time for a statement (57014) or a lock
 * (55P03).
 */
const AWAY_STATES = /^((08|53|58)...|57P0.|25006|57014|55P03)$/

/**
 * True when the database, and not the request, is why something failed: trying again later may well succeed. After a
 * COMMIT whose outcome is unknown it is true as well, and the Idempotency-Key of the repeat resolves it (rules §3).
 */
export function isDatabaseAway(error: unknown): boolean {
  return isConnectionLost(error) || AWAY_STATES.test(sqlState(error) ?? '')
}

/**
 * The server rolled a transaction back and ended its connection, because nothing came from this process for too long:
 * it was suspended, or busy. Whatever was sent afterwards, a COMMIT too, was not read any more.
 */
export const IDLE_TOO_LONG = '25P03'
/** Somebody else's lock was not free in time. The transaction is rolled back. */
export const LOCK_NOT_FREE = '55P03'

/** Knows, for one database and all its pools, whether the running code was called by the work of a transaction. */
export interface TxGuard {
  /** Throws inside a transaction's work. */
  assertOutside(): void
  inside<T>(scope: TxScope, work: () => Promise<T>): Promise<T>
}

interface TxScope {
  isOpen: boolean
}

/**
 * There is one embedded connection, so a statement beside its transaction would wait for itself for ever; on the native
 * engine it would do so once the pool is used up. It is refused on both.
 */
export function createTxGuard(): TxGuard {
  const running = new AsyncLocalStorage<TxScope>()
  return {
    assertOutside() {
      if (running.getStore()?.isOpen === true)
        throw new Error('The database was called inside tx(): use the tx that was handed to the work')
    },
    inside: (scope, work) => runningAnywhere.run(scope, () => running.run(scope, work)),
  }
}

const runningAnywhere = new AsyncLocalStorage<TxScope>()

/** True inside the work of a transaction of any database: what is told there may never be committed. */
export const isInsideTx = (): boolean => runningAnywhere.getStore()?.isOpen === true

/** Runs `work` as one transaction over a link nobody else uses meanwhile. See Database.tx. */
export async function runTransaction<T>(
  link: Link,
  guard: TxGuard,
  work: (tx: Tx) => Promise<T>,
  options: TxOptions,
): Promise<T> {
  const effects: Array<() => void> = []
  const scope: TxScope = { isOpen: true }
  let begun = false
  let phase: 'open' | 'ending' | 'committed' = 'open'
  let failure: { readonly error: unknown } | null = null

  const send = <R extends Row>(
    text: string,
    params?: readonly Param[],
    queryOptions?: QueryOptions,
  ): Promise<Answer<R>> => {
    if (phase !== 'open') return Promise.reject(new Error('The transaction is over: nothing may be queried any more'))
    if (!begun) {
      begun = true
      // A BEGIN that fails means a dead connection: the statement behind it fails as well, and reports it.
      link.send(beginText(options)).catch(() => {})
    }
    return link.send<R>(text, params, queryOptions)
  }

  const commit = async (): Promise<void> => {
    phase = 'ending'
    if (begun) {
      let command: string
      try {
        command = (await link.send('commit')).command
      } catch (error) {
        if (isRefusal(error) || sqlState(error) === IDLE_TOO_LONG) throw error
        throw new CommitUnknownError('The connection was lost at COMMIT: look the outcome up', { cause: error })
      }
      // COMMIT after a failed statement answers ROLLBACK without any error.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed')
    }
    phase = 'committed'
    scope.isOpen = false
    runEffects(effects)
  }

  const tx: Tx = {
    query: send,
    afterCommit: (effect) => void effects.push(effect),
    async commitWith<R extends Row>(text: string, params?: readonly Param[], queryOptions?: QueryOptions) {
      const last = send<R>(text, params, queryOptions)
      // Both are sent before either is awaited: one flush.
      const [lastOutcome, commitOutcome] = await Promise.allSettled([last, commit()])
      const errors = [lastOutcome, commitOutcome].filter((outcome) => outcome.status === 'rejected')
      const refused = errors.find((outcome) => isRefusal(outcome.reason))
      const worst = refused ?? errors.at(-1)
      if (worst !== undefined) {
        failure = { error: worst.reason }
        throw worst.reason
      }
      return (lastOutcome as PromiseFulfilledResult<Answer<R>>).value
    },
  }

  try {
    const result = await guard.inside(scope, () => work(tx))
    // A work that swallowed the failure of commitWith has not committed all the same.
    if (failure !== null) throw (failure as { readonly error: unknown }).error
    if (phase === 'open') await commit()
    return result
  } catch (error) {
    if (begun && phase === 'open') {
      phase = 'ending'
      // The first error is the one worth reporting; a link on which ROLLBACK fails is given up by its engine.
      await link.send('rollback').catch(() => {})
    }
    throw error
  } finally {
    scope.isOpen = false
    if (phase === 'open') phase = 'ending'
  }
}

function beginText({ isolation, readOnly }: TxOptions): string {
  return `begin${isolation === 'repeatable read' ? ' isolation level repeatable read' : ''}${readOnly === true ? ' read only' : ''}`
}

function runEffects(effects: ReadonlyArray<() => void>): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      // The data is committed: an effect that throws must neither fail the caller nor keep the others from running.
      console.error('An effect after COMMIT threw', error)
    }
  }
}
