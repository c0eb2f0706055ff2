import type { AnyRouter } from '@tanstack/react-router'
import { commonTexts } from '#web/platform/texts.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly title?: string
  }
}

/**
 * Sets the title of the browser's tab and focuses the new screen's heading, so that a screen reader announces the
 * screen and the Tab key continues from the heading (WCAG 2.4.2, 2.4.3). On the first screen, the focus stays where the
 * browser put it.
 */
export function followNavigation(router: AnyRouter): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const titles = router.state.matches.map((match) => match.staticData.title).filter((title) => title !== undefined)
    const title = titles.at(-1)
    document.title = title === undefined ? commonTexts.productName : `${title} · ${commonTexts.productName}`
    if (fromLocation === undefined || !pathChanged) return
    const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    target?.focus({ preventScroll: true })
  })
}
