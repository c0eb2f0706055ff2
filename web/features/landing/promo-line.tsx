import { useState, useSyncExternalStore } from 'react'
import { landingTexts } from './landing-texts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Pause } from '#web/ui/icons/pause.tsx'
import { Play } from '#web/ui/icons/play.tsx'

/** The scrolling promo line. A pointer over the line, its button (WCAG 2.2.2) or reduced motion stops the line. */
export function PromoLine() {
  const isStill = useSyncExternalStore(onMotionChanged, () => lessMotion().matches)
  const [isPaused, setIsPaused] = useState(false)
  const isMoving = !isStill && !isPaused
  return (
    <div className="-mx-gutter flex items-center border-y border-line bg-surface">
      {isMoving ? (
        <div
          role="region"
          aria-label={landingTexts.promo}
          className="group min-w-0 flex-1 overflow-hidden py-2.5 text-sm text-ink-2"
        >
          <div className="flex w-max animate-marquee group-hover:[animation-play-state:paused]">
            <PromoTexts />
            <PromoTexts isEcho />
          </div>
        </div>
      ) : (
        <div
          role="region"
          aria-label={landingTexts.promo}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard (WCAG 2.1.1).
          tabIndex={0}
          className="scrollbar-none min-w-0 flex-1 overflow-x-auto py-2.5 text-sm text-ink-2 focus-visible:-outline-offset-2"
        >
          <PromoTexts />
        </div>
      )}
      {!isStill && (
        <IconButton
          label={isPaused ? landingTexts.promoPlay : landingTexts.promoPause}
          onClick={() => setIsPaused(!isPaused)}
          className="text-ink-3"
        >
          {isPaused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
        </IconButton>
      )}
    </div>
  )
}

const lessMotion = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)')

function onMotionChanged(listener: () => void): () => void {
  const query = lessMotion()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The promo texts. A second copy (`isEcho`), hidden from screen readers, closes the loop without a gap. */
function PromoTexts({ isEcho = false }: { readonly isEcho?: boolean }) {
  return (
    <ul aria-hidden={isEcho || undefined} className="flex w-max">
      {landingTexts.promoLines.map((line) => (
        <li
          key={line}
          className="flex items-center whitespace-nowrap before:mx-4 before:size-1.5 before:rounded-pill before:bg-gold"
        >
          {line}
        </li>
      ))}
    </ul>
  )
}
