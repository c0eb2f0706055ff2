import { AsyncLocalStorage } from 'node:async_hooks'
import { CommitUnknownError } from './db.ts'
import type { LastQueryOptions, Param, QueryOptions, QueryResult, Row, Tx, TxOptions } from './db.ts'

export interface Answer<R> extends QueryResult<R> {
  readonly command: string
}

/** One connection of either engine. Statements are answered in the order in which they were sent. */
export interface Link {
  send<R extends Row>(text: string, params?: readonly Param[], options?: QueryOptions): Promise<Answer<R>>
}

/** True if the database refused the statement and the connection stays usable. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (error as { severity?: unknown }).severity === 'ERROR'
}

export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : null
}

const lostConnections = new WeakSet<object>()

export function connectionLost(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) lostConnections.add(error)
  return error
}

export function isConnectionLost(error: unknown): boolean {
  return error instanceof CommitUnknownError || (error instanceof Error && lostConnections.has(error))
}

/**
 * SQLSTATEs of a database that cannot serve at present: connection exceptions (08), insufficient resources (53), system
 * errors (58), shutdown and start (57P0), read-only as after a failover (25006), a cancelled statement or its timeout
 * (57014), a lock that is not free (55P03).
 */
const AWAY_STATES = /^((08|53|58)...|57P0.|25006|57014|55P03)$/

/**
 * True if a later retry may succeed: the database is away or busy, or the outcome of COMMIT is unknown (rules §3.5).
 */
export function isDatabaseAway(error: unknown): boolean {
  return isConnectionLost(error) || AWAY_STATES.test(sqlState(error) ?? '')
}

/** The SQLSTATE after PostgreSQL rolled back a transaction that was idle for too long. Later statements are not run. */
export const IDLE_TOO_LONG = '25P03'
export const LOCK_NOT_FREE = '55P03'
/** The SQLSTATE of each statement that follows a failed one in the same transaction. */
const ABORTED = '25P02'

export interface TxGuard {
  assertOutside(): void
  inside<T>(scope: TxScope, work: () => Promise<T>): Promise<T>
}

interface TxScope {
  isOpen: boolean
}

/** Makes a guard that throws if the work of a transaction calls the database without its `tx`: this could deadlock. */
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

/** True inside the work of an open transaction. No event may be emitted there: the transaction may be rolled back. */
export const isInsideTx = (): boolean => runningAnywhere.getStore()?.isOpen === true

function createTransaction(link: Link, scope: TxScope, options: TxOptions) {
  const effects: Array<() => void> = []
  let begun = false
  let phase: 'open' | 'ending' | 'committed' = 'open'
  let aborting: { readonly error: unknown } | null = null

  /** After a failed statement, each later one gets 25P02. Throws the error of the failed statement instead. */
  const toCause = (error: unknown): never => {
    if (aborting !== null && sqlState(error) === ABORTED) throw aborting.error
    aborting = { error }
    throw error
  }

  return {
    isOpen: () => phase === 'open',
    afterCommit: (effect: () => void) => void effects.push(effect),
    send: <R extends Row>(text: string, params?: readonly Param[], queryOptions?: QueryOptions): Promise<Answer<R>> => {
      if (phase !== 'open') return Promise.reject(new Error('The transaction is over: nothing may be queried any more'))
      if (!begun) {
        begun = true
        // The error of BEGIN is ignored: the next statement fails on the same connection, and its error is reported.
        link.send(beginText(options)).catch(() => {})
      }
      return link.send<R>(text, params, queryOptions).catch(toCause)
    },
    commit: async (): Promise<void> => {
      phase = 'ending'
      if (begun) await commitOn(link)
      phase = 'committed'
      scope.isOpen = false
      runEffects(effects)
    },
    /** Rolls the transaction back if it is still open, and refuses further statements. */
    end: async (): Promise<void> => {
      const isLeftOpen = begun && phase === 'open'
      if (phase === 'open') phase = 'ending'
      // The error of ROLLBACK is ignored, because an error of the work is thrown already.
      if (isLeftOpen) await link.send('rollback').catch(() => {})
      scope.isOpen = false
    },
  }
}

async function commitOn(link: Link): Promise<void> {
  let command: string
  try {
    command = (await link.send('commit')).command
  } catch (error) {
    if (isRefusal(error) || sqlState(error) === IDLE_TOO_LONG) throw error
    throw new CommitUnknownError('The connection was lost at COMMIT: look the outcome up', { cause: error })
  }
  // After a failed statement, COMMIT answers ROLLBACK without any error, so the answer is checked.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed')
}

export async function runTransaction<T>(
  link: Link,
  guard: TxGuard,
  work: (tx: Tx) => Promise<T>,
  options: TxOptions,
): Promise<T> {
  const scope: TxScope = { isOpen: true }
  const { send, commit, isOpen, afterCommit, end } = createTransaction(link, scope, options)
  let failure: { readonly error: unknown } | null = null

  const tx: Tx = {
    query: send,
    afterCommit,
    async commitWith<R extends Row>(
      text: string,
      params?: readonly Param[],
      { onWritten, ...queryOptions }: LastQueryOptions = {},
    ) {
      const sent = send<R>(text, params, queryOptions)
      const last = onWritten === undefined ? sent : sent.then((answer) => (onWritten(), answer))
      // The last statement and COMMIT are sent before either is awaited, so that both leave in one write.
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
    // If `work` caught the error of commitWith, the error is thrown again, so that the caller does not see a success.
    if (failure !== null) throw (failure as { readonly error: unknown }).error
    if (isOpen()) await commit()
    return result
  } finally {
    await end()
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
      // The data is committed, so neither the caller nor the other effects may fail.
      console.error('An effect after COMMIT threw', error)
    }
  }
}
