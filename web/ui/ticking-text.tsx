import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { formatAge, formatCountdown, formatTimeLeft } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { classNames } from './class-names.ts'

/**
 * Texts that change with the clock. The page's ticker writes them through a ref each second, so that React renders
 * nothing between phases. A translator would replace them each time: they are kept from it.
 */

/** Keeps the element's text at `write(serverMs)`, now and at each second. */
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
  /** The server's time at which the countdown reaches 0, ms since the epoch. A new value restarts it. */
  readonly endsAtMs: number
  /** The name of the countdown. */
  readonly label: string
  readonly className?: string
}

/** Time left as MM:SS (spec §4, §9), by the server's clock. It counts whole seconds and stops at 00:00. */
export const Countdown = (props: CountdownProps) => <Timer {...props} format={formatCountdown} />

/** Time left in hours and minutes, for a distant moment: its text changes once a minute. */
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

/** The age of an event by the server's clock, updated every second: "0.4 giây trước". */
export function AgeText({ atMs, className }: { readonly atMs: number; readonly className?: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => formatAge(serverMs - atMs))
  return <span ref={ref} translate="no" className={classNames('tabular-nums', className)} />
}

export type ProgressBarProps = {
  /** The server's times between which the bar empties, ms since the epoch. */
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** A step of the bar, in ms: no wider than a few pixels. */
const stepMs = 250

/**
 * The thin bar beside a countdown. It steps by a timer: an animation of any kind, for a phone's whole round, would have the
 * browser look for something to draw at each of the screen's 60 frames a second. Hidden from assistive technology: the
 * countdown shows the same in figures. With reduced motion it steps once a second.
 */
export function ProgressBar({ startsAtMs, endsAtMs }: ProgressBarProps) {
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
