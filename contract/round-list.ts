import * as z from 'zod/mini'
import { byTime, type ListDeclaration } from './lists.ts'

/** Rounds by the time of their beginning; by an admin and by voids for staff alone. */
export const roundList = {
  sorts: ['startTime'],
  firstSort: '-startTime',
  filters: {
    ...byTime,
    /** Only rounds that this admin announced or deleted. */
    by: { kind: 'text' },
    /** Only rounds with bets that were returned. */
    voids: { kind: 'choice', values: ['yes'], wire: z.literal('yes') },
  },
} as const satisfies ListDeclaration
