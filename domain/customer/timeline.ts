export const TIMELINE_KINDS = {
  points: ['request', 'decision', 'transfer', 'bank'],
  play: ['bet', 'limits'],
  care: ['conversation', 'dispute', 'answer'],
  staff: ['act', 'note'],
  account: ['account', 'session'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type TimelineFilter = keyof typeof TIMELINE_KINDS
export type TimelineKind = (typeof TIMELINE_KINDS)[TimelineFilter][number]

export const TIMELINE_FILTERS = Object.keys(TIMELINE_KINDS) as readonly TimelineFilter[]
export const ALL_TIMELINE_KINDS: readonly TimelineKind[] = Object.values(TIMELINE_KINDS).flat()
