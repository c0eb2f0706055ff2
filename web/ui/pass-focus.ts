/**
 * Returns a `ref` for an element that may disappear while it has the focus: then the element that `find` returns gets
 * the focus. Call this function outside of components: with a new `ref` in each render, React would run the cleanup of
 * the old `ref` each time, and the focus would move although the element is still there.
 */
export const passesFocus =
  (find: (from: HTMLElement) => HTMLElement | null | undefined) => (element: HTMLElement | null) => () => {
    if (element !== null && document.activeElement === element) find(element)?.focus({ preventScroll: true })
  }
