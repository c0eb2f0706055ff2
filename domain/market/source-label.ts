import { type PriceSource, SIMULATED } from './sources.ts'

/** Returns a source's label on screen. Only the provider's host gets its name, so that nobody is misled (rules §5). */
export function sourceLabel(source: PriceSource): string {
  if (source === SIMULATED) return 'Giá mô phỏng'
  if (source === 'pyth') return 'Pyth'
  if (source === 'swissquote') return 'Swissquote'
  return `Nguồn thử nghiệm: ${source.slice(source.indexOf('@') + 1)}`
}
