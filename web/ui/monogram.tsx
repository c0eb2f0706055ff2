import { classNames } from './class-names.ts'

/**
 * Returns up to two letters for a name: the first two letters of an acronym that begins the name ("BIDV" → BI), the
 * initials of the first two words (a capital inside a word begins a new word: "VietinBank" → VB), or the first two
 * letters of a single word ("Vietcombank" → VI).
 */
export function monogramOf(name: string): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? []
  const [first = '', second = ''] = words
  const letters = first.length > 1 && first === first.toUpperCase() ? first : first.slice(0, 1) + second.slice(0, 1)
  return (letters.length < 2 ? name.replaceAll(/[^\p{L}\p{N}]/gu, '') : letters).slice(0, 2).toUpperCase()
}

export type MonogramProps = {
  readonly name: string
  readonly tone?: 'neutral' | 'gold'
  readonly size?: 'md' | 'lg'
}

/** Shows initials in place of a logo, so that no logo is fetched from a third party. */
export function Monogram({ name, tone = 'neutral', size = 'md' }: MonogramProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-pill font-semibold',
        size === 'lg' ? 'size-14 text-lg' : 'size-10 text-sm',
        tone === 'gold' ? 'bg-gold-soft text-gold' : 'border border-line bg-surface-2 text-ink-2',
      )}
    >
      {monogramOf(name)}
    </span>
  )
}
