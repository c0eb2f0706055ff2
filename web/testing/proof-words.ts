/** Words of proof and statistics, which players meet only behind a fold (rules §7.11). */
export const PROOF_WORDS = /bút toán|wilson|\bcurl\b|bản chốt|niêm phong/iu

/** The text of a page that can be read without unfolding anything. */
export function unfoldedText(page: Element): string {
  const copy = page.cloneNode(true) as Element
  for (const folded of copy.querySelectorAll('details:not([open]) > :not(summary)')) folded.remove()
  return copy.textContent
}
