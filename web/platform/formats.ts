import { commonTexts } from './texts.ts'

/**
 * Formats amounts, prices, dates and times for the screen: numbers as in en-US (spec §9.1), times as in vi-VN, in
 * Vietnam's zone. Intl is not used, because its first call is slow on phones.
 */

export const formatCount = (count: bigint | number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** UTC+7 all year (IANA tzdata: Asia/Ho_Chi_Minh since 1975). */
const vietnamAheadMs = 25_200_000
const inVietnam = (at: Instant): string => new Date(Number(at) + vietnamAheadMs).toISOString()

export type Instant = number | Date

/** The Unicode minus sign. Unlike the hyphen it is as wide as the plus sign, so signed numbers align in a column. */
const minus = '−'

const dayMs = 86_400_000
const minuteMs = 60_000
const hourMs = 3_600_000

/** Formats `units` × 10^-`decimals`: `123450n` with 2 decimals → `1,234.50`. */
function writeFixed(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const size = units < 0n ? -units : units
  const fraction = decimals === 0 ? '' : `.${String(size % scale).padStart(decimals, '0')}`
  return `${units < 0n ? minus : ''}${formatCount(size / scale)}${fraction}`
}

/** Formats minor units (1 point is 100 minor units): `123450n` → `1,234.50`. */
export const formatAmount = (amountMinor: bigint): string => writeFixed(amountMinor, 2)

/** Formats minor units with their sign: `500n` → `+5.00`, `-500n` → `−5.00`, `0n` → `0.00`. */
export function formatSignedAmount(amountMinor: bigint): string {
  return amountMinor > 0n ? `+${writeFixed(amountMinor, 2)}` : writeFixed(amountMinor, 2)
}

/** Formats minor units as points, without decimals if they are whole: `100000n` → `1,000`, `100050n` → `1,000.50`. */
export function formatWholeAmount(amountMinor: bigint): string {
  return amountMinor % 100n === 0n ? writeFixed(amountMinor / 100n, 0) : formatAmount(amountMinor)
}

/** Formats thousandths of a dollar: `4132114` → `$4,132.114`. */
export const formatGoldPrice = (thousandths: number): string => `$${writeFixed(BigInt(thousandths), 3)}`

export const formatGoldNumber = (thousandths: number): string => writeFixed(BigInt(thousandths), 3)

export function formatGoldChange(thousandths: number): string {
  return `${thousandths > 0 ? '+' : ''}${writeFixed(BigInt(thousandths), 3)}`
}

export const formatGoldDifference = (thousandths: number): string => writeFixed(BigInt(Math.abs(thousandths)), 3)

/** Formats a price: between 0 and 1 dollar with 4 significant digits (at most 12 decimals), else with 2 decimals. */
export function formatCoinPrice(dollars: number): string {
  // The exponent of the rounded price: 0.99996 is written as 1.00, not as 1.0000.
  const exponent = Number(dollars.toExponential(3).split('e')[1])
  const decimals = exponent >= 0 ? 2 : Math.min(12, 3 - exponent)
  return `$${writeDecimal(dollars, decimals)}`
}

export const formatPercentChange = (percent: number): string => `${writeDecimal(Math.abs(percent), 2)}%`

export const formatShare = (share: number): string => `${writeDecimal(share * 100, 1)}%`

/** Formats a float, such as a market price (amounts are bigints). A value that rounds to zero gets no minus sign. */
function writeDecimal(value: number, decimals: number): string {
  const [whole = '0', fraction = ''] = Math.abs(value).toFixed(decimals).split('.')
  const isZero = !/[1-9]/.test(whole + fraction)
  return `${value < 0 && !isZero ? minus : ''}${formatCount(BigInt(whole))}${decimals === 0 ? '' : `.${fraction}`}`
}

export const formatCalendarDay = (day: string): string => day.split('-').toReversed().join('/')

export const formatDate = (at: Instant): string => formatCalendarDay(inVietnam(at).slice(0, 10))

export const formatMinute = (at: Instant): string => inVietnam(at).slice(11, 16)

export const formatTime = (at: Instant): string => inVietnam(at).slice(11, 19)

export const formatDateMinute = (at: Instant): string => `${formatDate(at)} ${formatMinute(at)}`

export const formatDateTime = (at: Instant): string => `${formatDate(at)} ${formatTime(at)}`

/** Returns `Hôm nay`, `Hôm qua` (spec §9.3) or the date. */
export function formatDay(at: Instant, now: Instant): string {
  const date = formatDate(at)
  if (date === formatDate(now)) return commonTexts.today
  if (date === formatDate(Number(now) - dayMs)) return commonTexts.yesterday
  return date
}

export function formatAge(ageMs: number): string {
  const age = Math.max(0, ageMs)
  if (age < 9_950) return `${(age / 1000).toFixed(1)} giây trước`
  if (age < minuteMs) return `${Math.max(10, Math.floor(age / 1000))} giây trước`
  if (age < hourMs) return `${Math.floor(age / minuteMs)} phút trước`
  if (age < dayMs) return `${Math.floor(age / hourMs)} giờ trước`
  return `${formatCount(Math.floor(age / dayMs))} ngày trước`
}

/** Returns MM:SS (spec §9.1). */
export function formatCountdown(remainingMs: number): string {
  const seconds = remainingSeconds(remainingMs)
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

export function formatTimeLeft(remainingMs: number): string {
  if (remainingMs < hourMs) return formatCountdown(remainingMs)
  const minutes = Math.floor(remainingMs / minuteMs)
  return `${formatCount(Math.floor(minutes / 60))} giờ ${minutes % 60} phút`
}

export function formatWait(waitMs: number): string {
  if (waitMs < hourMs) return `${Math.max(1, Math.ceil(waitMs / minuteMs))} phút`
  if (waitMs < dayMs) return `${Math.ceil(waitMs / hourMs)} giờ`
  return `${formatCount(Math.ceil(waitMs / dayMs))} ngày`
}

/**
 * Returns the seconds left, rounded up. ticker.ts calls its listeners up to 5 ms before a second begins. Without the
 * subtracted 10 ms, the number of the previous second would then still be shown.
 */
export const remainingSeconds = (remainingMs: number): number => Math.max(0, Math.ceil((remainingMs - 10) / 1000))
