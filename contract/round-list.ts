import * as z from 'zod/mini'
import { byTime, type ListDeclaration } from './lists.ts'

export const roundList = {
  sorts: ['startTime'],
  firstSort: '-startTime',
  filters: {
    ...byTime,
    by: { kind: 'text' },
    voids: { kind: 'choice', values: ['yes'], wire: z.literal('yes') },
  },
} as const satisfies ListDeclaration
