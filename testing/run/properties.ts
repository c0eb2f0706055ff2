import fc from 'fast-check'
import { inject, type ProvidedContext } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** One seed for all properties of a run. */
    seed: number
    /** True in the long run, where properties are drawn ten times as often and large tests have their full size. */
    isFull: boolean
  }
}

export type RunSettings = Pick<ProvidedContext, 'seed' | 'isFull'>

fc.configureGlobal({ seed: inject('seed'), numRuns: inject('isFull') ? 1_000 : 100 })
