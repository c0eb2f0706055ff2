/**
 * Cards in as many columns as fit. While the table of any card is open, cards of a row are not stretched to the same
 * height, so that only the card with the table grows.
 */
export const gridClass =
  'grid items-stretch has-[details[open]]:items-start gap-3 grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))]'
