/** As many columns as fit. The cards of a row have the same height, except while the table of a card is open. */
export const gridClass =
  'grid items-stretch has-[details[open]]:items-start gap-3 grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))]'
