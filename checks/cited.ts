/**
 * Finds citations in comments and pages: sections of docs/spec.md, docs/rules.md and docs/open-book.md, paths, commands
 * and names in capitals. Each function takes a text and returns what it found, so that the tests can also run it on
 * samples.
 */

export type LawPage = 'spec' | 'rules' | 'open-book'

/** A citation of a section, such as the rules' 1.2; `page` is null where the text does not name the page. */
export type Citation = { readonly page: LawPage | null; readonly section: string }

/** The sections of a page, from its numbered headings: 2, 2.1, 2.2 … */
export const sectionsOf = (text: string): string[] =>
  [...text.matchAll(/^#{2,4} (\d+(?:\.\d+)?)\.? \S/gm)].map(([, section]) => section ?? '')

/** A list of sections: one sign and number, or several with commas, dashes and words between. */
const list = String.raw`§\s?\d+(?:\.\d+)?(?:(?:\s?[,–-]\s?|,? (?:and|or|to) )§?\s?\d+(?:\.\d+)?(?![\d.]*\s?%))*`
const cited = new RegExp(
  String.raw`(?:(?<page>\b(?:spec|rules|open-book))(?:\.md)?\b[)\x60’']*s?[,:]? (?:\()?)?(?<rfc>RFC \d+ )?(?<list>${list})`,
  'gi',
)

/** Every citation of a section. A comment may break between the page's name and the number. */
export function citationsOf(text: string): Citation[] {
  const joined = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--|#(?!#))?[ \t]*/g, ' ')
  return [...joined.matchAll(cited)].flatMap(({ groups }) => {
    if (groups?.['rfc'] !== undefined) return []
    const page = (groups?.['page']?.toLowerCase() ?? null) as LawPage | null
    return [...(groups?.['list'] ?? '').matchAll(/\d+(?:\.\d+)?/g)].map(([section]) => ({ page, section }))
  })
}

const inBackticks = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')

/**
 * Our folders and file types: text in backticks that matches is a path. Paths below DATA_DIR are created by the server.
 */
const folders =
  /^(?:\.?\/)?(?:domain|contract|server|web|testing|proofs|checks|docs|scripts|bench|e2e|public|decisions)\/[\w./@-]*$/
const sources = /^(?![A-Z]+_DIR\/)[\w@-][\w./@-]*\.(?:ts|tsx|mjs|js|json|md|css|html|sql|yml)$/

/** Every path that a page names in backticks. */
export const pathsOf = (text: string): string[] =>
  inBackticks(text).filter((code) => folders.test(code) || sources.test(code))

/** Every npm script that a page names, with or without backticks. */
export const commandsOf = (text: string): string[] => [
  ...[...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
  ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name]) => name ?? ''),
]

/**
 * Names in capitals: settings, and codes of refusals or states. Names with a value assigned to them are certainly
 * settings.
 */
export function namesOf(text: string): { readonly named: string[]; readonly assigned: string[] } {
  const code = [...inBackticks(text), ...[...text.matchAll(/^(?: {4}|```)(.*)$/gm)].map(([, line]) => line ?? '')]
  const assigned = code.flatMap((one) => [...one.matchAll(/\b([A-Z][A-Z0-9_]{2,})=/g)].map(([, name]) => name ?? ''))
  const named = code.flatMap((one) => [...one.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name))
  return { named: [...new Set(named)], assigned: [...new Set(assigned)] }
}
