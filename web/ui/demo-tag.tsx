import { commonTexts } from '#web/platform/texts.ts'

/**
 * A small tag at the top of every page of a demonstration; the server marks its pages (DEMO_DATA). It shifts no
 * content.
 */
export function DemoTag() {
  if (document.documentElement.dataset['demo'] === undefined) return null
  return (
    <p className="pointer-events-none fixed top-0 left-1/2 z-50 -translate-x-1/2 rounded-b-s bg-info-soft px-3 text-xs/[18px] font-medium whitespace-nowrap text-info">
      {commonTexts.demoData}
    </p>
  )
}
