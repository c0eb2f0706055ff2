export const FILE_NAME_MAX = 100
const EXTENSION = '.pdf'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns a name of one line that ends in `.pdf`, without folders, control or format characters (rules §7.7). */
export function cleanFileName(name: string): string {
  const plain = name.toWellFormed().normalize('NFC').replace(/\s/g, ' ').replace(UNSEEN, '').replace(/ +/g, ' ')
  const base = plain.replace(/^.*[/\\]/, '').trimEnd()
  const stem = base.replace(/\.pdf$/i, '').replace(/^[. ]+/, '')
  const short = Array.from(stem).slice(0, FILE_NAME_MAX - EXTENSION.length)
  return (short.join('').trim() || 'tep') + EXTENSION
}
