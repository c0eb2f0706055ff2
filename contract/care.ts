import * as z from 'zod/mini'
import { minuteText, type Week, WEEKDAYS } from '#domain/chat/hours.ts'
import { answer, judgedText, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** Minutes of a day ↔ "08:00". A span that lasts until midnight ends at "24:00". */
const timeOfDay = z.codec(text.check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/)), z.int(), {
  decode: (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)),
  encode: minuteText,
})
const dayFields = { fromMinute: ['from', timeOfDay], toMinute: ['to', timeOfDay] } as const

const careHours = answer(() => ({
  week: ['days', z.array(z.nullable(answer(() => dayFields))) as z.ZodMiniType<Week>],
  awayText: text,
  version: z.int(),
}))
export type KeptHours = z.output<typeof careHours>

export const careEndpoints = {
  readHours: endpoint('GET', '/api/v1/chat/hours', 'staff', {
    data: careHours,
    summary: 'The office hours of customer care, by weekday',
  }),
  setHours: endpoint('PUT', '/api/v1/chat/hours', 'staff:owner', {
    body: request(() => ({
      week: [
        'days',
        z
          .array(z.nullable(request(() => dayFields)))
          .check(z.minLength(WEEKDAYS.length), z.maxLength(WEEKDAYS.length)) as z.ZodMiniType<Week>,
      ],
      awayText: judgedText,
      version: z.int(),
    })),
    data: careHours,
    refusals: ['HOURS_INVALID', 'AWAY_TEXT_INVALID', 'STALE'],
    summary: 'Set the office hours of customer care and what players read outside them',
  }),
  readTranscript: endpoint('GET', '/api/v1/chat/conversations/{id}/transcript', 'staff:care', {
    isFile: true,
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'A whole conversation as a text file, a message in a line; noted in the audit log',
  }),
} as const
