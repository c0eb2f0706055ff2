/** As many columns of a readable width as fit. Opening a card's table lengthens only that card, not its row. */
export const gridClass =
  'grid items-stretch has-[details[open]]:items-start gap-3 grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))]'
