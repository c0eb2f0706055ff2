/**
 * What queries by role and presses ask of each element: whether it is drawn, visible and takes presses. This DOM answers
 * only after it has worked out every property of the element and of all around it. No style sheet of ours is in it, so
 * the tag and the `style` attributes say the same at once.
 */
export function readStylesQuickly(): void {
  const readWhole = window.getComputedStyle.bind(window)
  const displays = new Map<string, string>()
  /** How this DOM shows elements of a tag. */
  const displayOf = (tag: string): string => {
    const known = displays.get(tag)
    if (known !== undefined) return known
    const page = document.implementation.createHTMLDocument()
    const { display } = readWhole(page.body.appendChild(page.createElement(tag)))
    displays.set(tag, display)
    return display
  }
  const own = (element: Element, name: 'display' | 'visibility' | 'pointerEvents') =>
    element.hasAttribute('style') ? (element as HTMLElement).style[name] : ''
  const inherited = (element: Element, name: 'visibility' | 'pointerEvents'): string => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const value = own(at, name)
      if (value !== '') return value
    }
    return ''
  }
  const read = (element: Element, name: string | symbol): string | undefined => {
    if (name === 'display') return own(element, name) || displayOf(element.localName)
    if (name === 'visibility') return inherited(element, name)
    return name === 'pointerEvents' ? inherited(element, name) : undefined
  }
  const readQuickly = (element: Element) =>
    new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'getPropertyValue')
          return (of: string) => read(element, of) ?? readWhole(element).getPropertyValue(of)
        return read(element, name) ?? Reflect.get(readWhole(element), name)
      },
    })
  // With a worker to itself a file has two windows: its global object, and the one that elements name.
  for (const view of [window, document.defaultView]) if (view !== null) view.getComputedStyle = readQuickly
}
