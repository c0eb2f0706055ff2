/** Columns of a readable width, as many as fit. A table that is opened lengthens its own card alone. */
export const gridClass =
  'grid items-stretch has-[details[open]]:items-start gap-3 grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))]'
