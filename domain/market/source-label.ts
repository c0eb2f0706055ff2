import { type PriceSource, SIMULATED } from './sources.ts'

/** Returns a source's label on screen. Only prices from a provider's own host get the provider's name (rules §5.1). */
export function sourceLabel(source: PriceSource): string {
  if (source === SIMULATED) return 'Giá mô phỏng'
  if (source === 'pyth') return 'Pyth'
  if (source === 'swissquote') return 'Swissquote'
  return `Nguồn thử nghiệm: ${source.slice(source.indexOf('@') + 1)}`
}
