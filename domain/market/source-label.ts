import { type PriceSource, SIMULATED } from './sources.ts'

/** Returns the source's label on screen. A provider's name stands only for the provider's own host, so that nobody is misled (rules §5). */
export function sourceLabel(source: PriceSource): string {
  if (source === SIMULATED) return 'Giá mô phỏng'
  if (source === 'pyth') return 'Pyth'
  if (source === 'swissquote') return 'Swissquote'
  return `Nguồn thử nghiệm: ${source.slice(source.indexOf('@') + 1)}`
}
