/** The grid has as many columns as fit. Cards of a row have the same height, except while a card's table is open. */
export const gridClass =
  'grid items-stretch has-[details[open]]:items-start gap-3 grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))]'
