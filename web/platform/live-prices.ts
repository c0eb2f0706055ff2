import { useEffect, useState, useSyncExternalStore } from 'react'
import type { PriceTick } from '#contract/events.ts'
import type { FeedStatus } from '#contract/market.ts'
import { DURATION_S } from '#domain/game/calendar.ts'
import { hasNetwork } from '#web/platform/online.ts'
import { deviceNowMs, serverNowMs } from '#web/platform/server-time.ts'
import { createSignal, together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { onEachSecond } from '#web/platform/ticker.ts'

/** This file keeps the newest prices outside React, so components can write them into the page without a render. */

export type LivePrice = {
  readonly source: string
  readonly second: number
  /** The price in thousandths of a dollar. */
  readonly price: number
  readonly quoteAtMs: number
}

/** The number of ticks kept per source: one per second of the longest round, ten more for its ends and late ticks. */
const keptTicks = Math.max(...Object.values(DURATION_S)) + 10

const ticksBySource = new Map<string, readonly LivePrice[]>()
const quoteBySource = new Map<string, LivePrice>()
const newPrice = createSignal<[price: LivePrice]>()

/** When the server last sent anything about prices, in Unix ms by the device's clock. */
let toldAtMs = Number.NEGATIVE_INFINITY

/** When the socket last brought a tick or this page last began to wait for ticks, in Unix ms by the device's clock. */
let tickAtMs = Number.NEGATIVE_INFINITY

/** Records that the server has sent something about prices, even if it only said that there is no price. */
export function noteTold(): void {
  toldAtMs = deviceNowMs()
}

/** A recorded tick counts as ahead of the server's time if its second is later by more than this. */
const slackMs = 1_000

/**
 * Records a tick. If the tick has a price, recorded prices ahead of the server's time are dropped first: they are from
 * before the server's clock was set back. The tick is then added if it is newer than the ticks that remain.
 */
export function recordTick({ source, second, price, quoteAtMs, serverTimeMs }: PriceTick): void {
  noteTold()
  tickAtMs = deviceNowMs()
  if (price === null || quoteAtMs === null) return
  const isOver = (tick: LivePrice) => tick.second * 1000 <= serverTimeMs + slackMs
  const quote = quoteBySource.get(source)
  if (quote !== undefined && !isOver(quote)) quoteBySource.delete(source)
  const ticks = (ticksBySource.get(source) ?? []).filter(isOver)
  const newest = ticks.at(-1)
  if (newest !== undefined && newest.second >= second) return
  const live = { source, second, price, quoteAtMs }
  ticksBySource.set(source, [...ticks, live].slice(-keptTicks))
  newPrice.tell(live)
}

export function recordQuote({ source, lastPrice, lastQuoteAtMs }: FeedStatus): void {
  if (lastPrice === null || lastQuoteAtMs === null) return
  const before = newestPrice(source)
  const second = Math.floor(lastQuoteAtMs / 1000)
  const quote = { source, second, price: lastPrice, quoteAtMs: lastQuoteAtMs }
  quoteBySource.set(source, quote)
  if (before === undefined || before.quoteAtMs < lastQuoteAtMs) newPrice.tell(quote)
}

export function newestPrice(source: string): LivePrice | undefined {
  const tick = ticksBySource.get(source)?.at(-1)
  const quote = quoteBySource.get(source)
  // Without the socket, HTTP answers bring prices that are newer than the last tick.
  return tick === undefined || (quote !== undefined && quote.quoteAtMs > tick.quoteAtMs) ? quote : tick
}

export function priceAt(source: string, second: number): number | undefined {
  return ticksBySource.get(source)?.find((tick) => tick.second === second)?.price
}

export const recordedTicks = (source: string): readonly LivePrice[] => ticksBySource.get(source) ?? []

export const onLivePrice = newPrice.listen

/** A price is late from `lateFromMs` on. A price older than `silentAfterMs` is too old for a bet (rules §5.4). */
const lateFromMs = 2_000
const silentAfterMs = 5_000

export type FeedState = 'fresh' | 'late' | 'silent'

export const feedStateAt = (ageMs: number): FeedState =>
  ageMs > silentAfterMs ? 'silent' : ageMs >= lateFromMs ? 'late' : 'fresh'

/**
 * The reason why the price on screen is too old for a bet (rules §5.4). `server`: for 5 s the server has sent nothing
 * about prices. `asked`: the same, but there is a network, and the screen opened at most 5 s ago and still waits.
 * `feed`: the server sends, but its newest price is older than 5 s. Null: the server sends, and its newest price is at
 * most 5 s old or there is none.
 */
export type Silence = 'server' | 'feed' | 'asked' | null

const isServerSilent = (): boolean => feedStateAt(deviceNowMs() - toldAtMs) === 'silent'

export const areTicksSilent = (): boolean => feedStateAt(deviceNowMs() - tickAtMs) === 'silent'

/** Returns why the price is too old. `askedAtMs` is when the screen opened, by the device's clock. */
export function silenceOf(source: string | null | undefined, askedAtMs: number): Silence {
  if (isServerSilent()) {
    const isWaiting = hasNetwork() && feedStateAt(deviceNowMs() - askedAtMs) !== 'silent'
    return isWaiting ? 'asked' : 'server'
  }
  const newest = typeof source === 'string' ? newestPrice(source) : undefined
  return newest !== undefined && feedStateAt(serverNowMs() - newest.quoteAtMs) === 'silent' ? 'feed' : null
}

/** Listens to new prices and to each second, in which a price can become too old. */
export const onPriceOrSecond = (listener: () => void): (() => void) =>
  together(onLivePrice(listener), onEachSecond(listener))

export function useSilence(source: string | null | undefined): Silence {
  const [askedAtMs] = useState(deviceNowMs)
  return useSyncExternalStore(onPriceOrSecond, () => silenceOf(source, askedAtMs))
}

export function usePriceTicks(): void {
  useEffect(() => {
    tickAtMs = deviceNowMs()
    return onServerEvent('price_tick', recordTick)
  }, [])
}

/** Resets this module between tests. */
export function forgetPrices(): void {
  ticksBySource.clear()
  quoteBySource.clear()
  toldAtMs = Number.NEGATIVE_INFINITY
  tickAtMs = Number.NEGATIVE_INFINITY
}
