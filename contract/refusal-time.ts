import { clockTextOf } from '#domain/day.ts'

const ENDS_OPEN = / sau$/

export function waitWords(waitS: number): string {
  if (waitS < 90) return `${waitS} giây`
  return waitS < 90 * 60 ? `${Math.ceil(waitS / 60)} phút` : `${Math.ceil(waitS / 3600)} giờ`
}

/** Returns minute and day in Vietnam in words: `19:46 ngày 27/11`. A minute that has begun counts as the next one. */
export function minuteWords(atMs: number): string {
  const [, month, day, clock] = /-(\d\d)-(\d\d) (\d\d:\d\d)/.exec(clockTextOf(atMs + 59_999)) ?? []
  return `${clock} ngày ${day}/${month}`
}

export const sayingWait = (sentence: string, waitS: number): string =>
  ENDS_OPEN.test(sentence) ? `${sentence} ${waitWords(waitS)}` : sentence

export const sayingUntil = (sentence: string, untilMs: number): string =>
  `${sentence} ${ENDS_OPEN.test(sentence) ? '' : 'đến '}${minuteWords(untilMs)}`
