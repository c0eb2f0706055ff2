/**
 * Returns a `ref` for an element that may disappear under the keyboard's focus, which would then fall to the page's
 * body: what `find` returns gets the focus instead. Call this outside of components, since each new ref counts as a
 * disappearance of the element.
 */
export const passesFocus =
  (find: (from: HTMLElement) => HTMLElement | null | undefined) => (element: HTMLElement | null) => () => {
    if (element !== null && document.activeElement === element) find(element)?.focus({ preventScroll: true })
  }
