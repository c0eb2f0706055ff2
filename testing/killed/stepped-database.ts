import type { Database, Tx } from '#server/platform/database/db.ts'

/** A step can be made to wait, to throw (a crash that the caller notices) or to end the process. */
export interface StepVisitor {
  /** Called before a statement or COMMIT is sent. Steps are numbered from 1. */
  before?(step: number, what: string): void | Promise<void>
  /** Called when it was sent and is not answered yet. It is not awaited, so it can only end the process. */
  during?(step: number, what: string): void
  /** Called when it was answered. */
  after?(step: number, what: string): void | Promise<void>
}

/**
 * A view of a database with every statement and every COMMIT as a numbered step, to test every state that a process may
 * leave behind when it dies.
 */
export function stepDatabase(db: Database, visitor: StepVisitor): Database {
  let steps = 0
  const visit = async <T>(what: string, send: () => Promise<T>): Promise<T> => {
    const step = ++steps
    await visitor.before?.(step, what)
    const sent = send()
    // Everything sent in this turn of the event loop has left the process in the next.
    setImmediate(() => visitor.during?.(step, what))
    const answer = await sent
    await visitor.after?.(step, what)
    return answer
  }
  const wrap = (tx: Tx): Tx => ({
    query: (text, params, options) => visit(text, () => tx.query(text, params, options)),
    afterCommit: (effect) => tx.afterCommit(effect),
    commitWith: (text, params, options) => visit(`commit with ${text}`, () => tx.commitWith(text, params, options)),
  })
  return {
    engine: db.engine,
    query: (text, params, options) => visit(text, () => db.query(text, params, options)),
    async tx(work, options) {
      let isCommitted = false
      let step = 0
      const result = await db.tx(async (tx) => {
        const wrapped = wrap(tx)
        const done = await work({
          ...wrapped,
          commitWith: async (text, params, commitOptions) => {
            const answer = await wrapped.commitWith(text, params, commitOptions)
            isCommitted = true
            return answer as never
          },
        })
        if (!isCommitted) {
          step = ++steps
          await visitor.before?.(step, 'commit')
          setImmediate(() => visitor.during?.(step, 'commit'))
        }
        return done
      }, options)
      if (!isCommitted) await visitor.after?.(step, 'commit')
      return result
    },
    onOneConnection: (work) => db.onOneConnection(work),
    close: () => db.close(),
  }
}
