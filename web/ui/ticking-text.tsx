import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { formatAge, formatCountdown, formatTimeLeft } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { classNames } from './class-names.ts'

/**
 * Texts that change every second. The page's ticker writes them through a ref, so that React does not render each time.
 * They have `translate="no"`, because the browser would translate each new text.
 */

export function useTickingText(ref: RefObject<HTMLElement | null>, write: (serverMs: number) => string): void {
  useLayoutEffect(() => {
    const draw = (serverMs: number) => {
      const text = write(serverMs)
      if (ref.current !== null && ref.current.textContent !== text) ref.current.textContent = text
    }
    draw(serverNowMs())
    return onEachSecond(draw)
  })
}

export type CountdownProps = {
  /** Unix ms by the server's clock. */
  readonly endsAtMs: number
  readonly label: string
  readonly className?: string
}

/** A countdown as MM:SS (spec §4.4, §9.1). */
export const Countdown = (props: CountdownProps) => <Timer {...props} format={formatCountdown} />

export const TimeLeft = (props: CountdownProps) => <Timer {...props} format={formatTimeLeft} />

type TimerProps = CountdownProps & { readonly format: (leftMs: number) => string }

function Timer({ endsAtMs, label, className, format }: TimerProps) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => format(endsAtMs - serverMs))
  return (
    <span role="timer" aria-label={label} translate="no" className={classNames('tabular-nums', className)}>
      <span ref={ref} />
    </span>
  )
}

export function AgeText({ atMs, className }: { readonly atMs: number; readonly className?: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => formatAge(serverMs - atMs))
  return <span ref={ref} translate="no" className={classNames('tabular-nums', className)} />
}

const stepMs = 250

/** A timer shrinks the bar in steps. An animation over a whole round would redraw the bar in every frame. */
export function ProgressBar({ startsAtMs, endsAtMs }: { readonly startsAtMs: number; readonly endsAtMs: number }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const draw = () => {
      const left = (endsAtMs - serverNowMs()) / Math.max(1, endsAtMs - startsAtMs)
      if (ref.current !== null) ref.current.style.transform = `scaleX(${Math.min(1, Math.max(0, left))})`
    }
    draw()
    if (globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) return onEachSecond(draw)
    const timer = setInterval(draw, stepMs)
    return () => clearInterval(timer)
  }, [startsAtMs, endsAtMs])
  return (
    <div aria-hidden className="h-1 overflow-hidden rounded-pill bg-line">
      <div ref={ref} className="h-full origin-left rounded-pill bg-gold-fill" />
    </div>
  )
}
