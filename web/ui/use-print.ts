import { type RefObject, useEffect } from 'react'

/** While the page is printed, opens the folded parts of `content` and uses the light theme; then restores both. */
export function usePrint(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = document.documentElement
    let theme: string | undefined
    let closed: HTMLDetailsElement[] = []
    const before = () => {
      theme = page.dataset['theme']
      page.dataset['theme'] = 'light'
      closed = [...(content.current?.querySelectorAll('details') ?? [])].filter((details) => !details.open)
      for (const details of closed) details.open = true
    }
    const after = () => {
      if (theme !== undefined) page.dataset['theme'] = theme
      for (const details of closed) details.open = false
      closed = []
    }
    const mounted = new AbortController()
    addEventListener('beforeprint', before, { signal: mounted.signal })
    addEventListener('afterprint', after, { signal: mounted.signal })
    return () => mounted.abort()
  }, [content])
}
