import type { Query } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { sharedKeys } from './query-keys.ts'
import { readLastKnown, readSignedInAtMs, writeLastKnown } from './storage.ts'

/**
 * Keeps the last data of the player's screens on the device, so that the screens open without a server (rules §7.8).
 * The data is for one session, identified by the time of its sign-in. It is also for one build, since another build may
 * need other fields.
 */

const keptKeys: ReadonlySet<unknown> = new Set(Object.values(sharedKeys).flat())
const isKept = ({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>) =>
  keptKeys.has(queryKey[0]) && meta?.['isNotKept'] !== true

const writeEveryMs = 10_000

const maxAnswers = 30

type Kept = {
  readonly build: string
  readonly signedInAtMs: number | null
  readonly answers: readonly { readonly key: readonly unknown[]; readonly data: unknown; readonly atMs: number }[]
}

/** JSON has no bigint, so an object with only this field stands for a bigint. */
const bigintField = '$bigint'
const write = (_: string, value: unknown) => (typeof value === 'bigint' ? { [bigintField]: String(value) } : value)
const read = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && bigintField in value ? BigInt(String(value[bigintField])) : value

/** Returns the address of the entry script, which contains a hash of the build's code. */
const buildName = (): string => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''

export function restoreLastKnown(): void {
  for (const { key, data, atMs } of readKept()) {
    if (queryClient.getQueryData(key) === undefined) queryClient.setQueryData(key, data, { updatedAt: atMs })
  }
}

function readKept(): Kept['answers'] {
  try {
    const kept = JSON.parse(readLastKnown() ?? 'null', read) as Kept | null
    const isOurs = kept?.build === buildName() && kept.signedInAtMs === readSignedInAtMs()
    return isOurs ? kept.answers : []
  } catch {
    return []
  }
}

export function keepLastKnown(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = () => {
    clearTimeout(timer)
    timer = undefined
    const answers = queryClient
      .getQueryCache()
      .getAll()
      .filter((query) => isKept(query) && query.state.data !== undefined)
      .map(({ queryKey, state }) => ({ key: queryKey, data: state.data, atMs: state.dataUpdatedAt }))
    // Stored data is kept if this page has no data of its own for the same key.
    const others = readKept().filter(({ key }) => queryClient.getQueryData(key) === undefined)
    const newest = [...answers, ...others].toSorted((a, b) => b.atMs - a.atMs).slice(0, maxAnswers)
    const kept: Kept = { build: buildName(), signedInAtMs: readSignedInAtMs(), answers: newest }
    writeLastKnown(JSON.stringify(kept, write))
  }
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !isKept(event.query)) return
    timer ??= setTimeout(keep, writeEveryMs)
  })
  const handleLeave = () => {
    if (document.visibilityState === 'hidden') keep()
  }
  document.addEventListener('visibilitychange', handleLeave)
  keep()
  return () => {
    stop()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', handleLeave)
  }
}
