import { commonTexts } from '#web/platform/texts.ts'

/** A slim line at the top of every page of a demonstration; the server marks its pages (DEMO_DATA). */
export function DemoBar() {
  if (document.documentElement.dataset['demo'] === undefined) return null
  return <p className="bg-info-soft px-gutter py-1 text-center text-xs font-medium text-info">{commonTexts.demoData}</p>
}
