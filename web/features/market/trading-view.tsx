import { useEffect, useRef, useState } from 'react'
import { tradingViewTexts } from './trading-view-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const origin = 'https://www.tradingview-widget.com'
const patienceMs = 5_000

const settings = (theme: string) => ({
  symbol: 'OANDA:XAUUSD',
  interval: '60',
  timezone: 'Asia/Bangkok',
  theme,
  style: '1',
  hide_side_toolbar: true,
  allow_symbol_change: false,
  save_image: false,
  width: '100%',
  height: '100%',
})

const address = (): string => {
  const theme = document.documentElement.dataset['theme'] ?? 'light'
  return `${origin}/embed-widget/advanced-chart/?locale=vi_VN#${encodeURIComponent(JSON.stringify(settings(theme)))}`
}

/**
 * Shows TradingView's chart in a frame, because a script on our origin could read the stored token. The frame opens
 * only after a click, because its request tells TradingView of the visit.
 */
export function TradingView({ onBack }: { readonly onBack: () => void }) {
  const [attempt, setAttempt] = useState(0)
  if (attempt > 0) return <Frame key={attempt} onBack={onBack} onRetry={() => setAttempt(attempt + 1)} />
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 overflow-y-auto px-4 py-3 text-center">
      <p className="text-sm text-balance text-ink-2">{tradingViewTexts.about}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="outline" onClick={onBack}>
          {tradingViewTexts.back}
        </Button>
        <Button onClick={() => setAttempt(1)}>{tradingViewTexts.open}</Button>
      </div>
    </div>
  )
}

function Frame({ onBack, onRetry }: { readonly onBack: () => void; readonly onRetry: () => void }) {
  const [state, setState] = useState<'waiting' | 'shown' | 'failed'>('waiting')
  const [source] = useState(address)
  const root = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    // The `load` event also fires for an error page, so only a message from the widget proves that the widget runs.
    const hear = (event: MessageEvent) => {
      if (event.origin === origin && event.source === frame.current?.contentWindow) setState('shown')
    }
    const timer = setTimeout(() => setState((now) => (now === 'waiting' ? 'failed' : now)), patienceMs)
    globalThis.addEventListener('message', hear)
    return () => {
      clearTimeout(timer)
      globalThis.removeEventListener('message', hear)
    }
  }, [])

  // If the button with the focus has disappeared, the group takes the focus.
  useEffect(() => {
    if (state !== 'shown' && document.activeElement === document.body) root.current?.focus({ preventScroll: true })
  }, [state])

  return (
    <div ref={root} role="group" aria-label={tradingViewTexts.title} tabIndex={-1} className="flex h-full flex-col">
      {state === 'failed' ? (
        <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 px-4 text-center">
          <p className="text-ink-2">{tradingViewTexts.failed}</p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="outline" onClick={onBack}>
              {tradingViewTexts.back}
            </Button>
            <Button onClick={onRetry}>{commonTexts.retry}</Button>
          </div>
        </div>
      ) : (
        <>
          <div className="flex items-center justify-between gap-2 border-b border-line pl-3 text-xs text-ink-3">
            <span>{state === 'shown' ? tradingViewTexts.title : tradingViewTexts.waiting}</span>
            <Button variant="ghost" onClick={onBack} className="text-gold!">
              {tradingViewTexts.back}
            </Button>
          </div>
          <div className="relative min-h-0 flex-1">
            {state === 'waiting' && <SkeletonGroup className="absolute inset-0 p-3" shapes={['size-full']} />}
            <iframe
              ref={frame}
              title={tradingViewTexts.title}
              src={source}
              // oxlint-disable-next-line react/iframe-missing-sandbox -- The rule concerns frames of the page's own origin; this one has TradingView's, and can't reach the page.
              sandbox="allow-scripts allow-same-origin allow-popups"
              referrerPolicy="no-referrer"
              className={classNames('size-full border-0', state === 'waiting' && 'invisible')}
            />
          </div>
        </>
      )}
    </div>
  )
}
