/**
 * Changes the page as a browser's translator does: replaces each text by `<font><font>text</font></font>`, also every
 * later one, unless it is under translate="no". The text that React made is then no longer in the page. The function
 * needs nothing around it, so that a journey can inject it.
 */
export function translatePage(): () => void {
  const tag: string = 'font'
  const skipped = 'font, script, style, textarea, title, [translate=no]'
  const wrap = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode() !== null) texts.push(walker.currentNode)
    for (const text of texts) {
      const { parentElement: parent, nodeValue } = text
      // Most are translated already.
      if (parent?.localName === tag || nodeValue?.trim() === '' || parent?.closest(skipped) !== null) continue
      const inner = document.createElement(tag)
      inner.textContent = nodeValue
      const outer = document.createElement(tag)
      outer.append(inner)
      text.parentNode?.replaceChild(outer, text)
    }
  }
  wrap()
  const observer = new MutationObserver(wrap)
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}
