/**
 * Returns a `ref` for an element that may disappear while it has the focus. The focus would then fall to the page's
 * body; instead, the element that `find` returns gets it. Call this function outside of components: React treats a new
 * `ref` like a disappearance of the element.
 */
export const passesFocus =
  (find: (from: HTMLElement) => HTMLElement | null | undefined) => (element: HTMLElement | null) => () => {
    if (element !== null && document.activeElement === element) find(element)?.focus({ preventScroll: true })
  }
