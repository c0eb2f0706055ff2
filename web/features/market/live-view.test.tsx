import { act, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type CandleListView, marketEndpoints } from '#contract/market.ts'
import { forgetPrices, recordTick } from '#web/platform/live-prices.ts'
import { resetServerTime } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw, type Drawn } from '#web/testing/render.tsx'
import { ChartMenuButton } from './chart-menu-button.tsx'
import { GoldChart } from './gold-chart.tsx'
import type { ChartBet, ChartRound } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { PriceHeadline, type PriceHeadlineProps } from './price-headline.tsx'
import { RoundStatus, RoundTable } from './round-view.tsx'
import { tradingViewTexts } from './trading-view-texts.ts'
import { type ChartChoice, useChartView } from './use-chart-view.ts'

// The chart is there at once, not after a pause that a test may or may not outlast.
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterDrawing: (load) => load,
}))
// The charts' library draws on a canvas and needs the colours of the page, and this DOM has neither.
vi.mock(import('./candle-chart.tsx'), () => ({ CandleChart: () => <p>candles</p> }))

/** A round of 60 s of which 20 s have passed. */
const opening = Math.floor(Date.now() / 1000) - 20
const round: ChartRound = {
  id: 'round',
  source: 'simulated',
  sourceLabel: 'Giá mô phỏng',
  opensAtMs: opening * 1000,
  closesAtMs: (opening + 60) * 1000,
  openPrice: 4_132_000,
}
const waiting: ChartBet = {
  id: 'bet',
  status: 'open',
  direction: 'up',
  entryPrice: null,
  entrySecond: null,
  exitPrice: null,
}
const bet: ChartBet = { ...waiting, entryPrice: 4_131_902, entrySecond: opening + 6 }

/** A tick of this second, which is now. */
function hear(second: number, price: number | null): void {
  vi.setSystemTime(second * 1000 + 100)
  act(() =>
    recordTick({
      source: 'simulated',
      sourceLabel: 'Giá mô phỏng',
      second,
      price,
      quoteAtMs: price === null ? null : second * 1000,
      serverTimeMs: second * 1000 + 100,
    }),
  )
}

const candles: CandleListView = {
  source: 'simulated',
  label: 'Giá mô phỏng',
  minutes: 60,
  candles: [{ openedAtMs: 0, open: 4_130_000, high: 4_130_000, low: 4_130_000, close: 4_130_000 }],
  serverTimeMs: Date.now(),
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  forgetPrices()
  resetServerTime()
  return () => void vi.useRealTimers()
})

describe('the headline', () => {
  const headline: PriceHeadlineProps = {
    source: 'simulated',
    sourceLabel: 'Giá mô phỏng',
    openPrice: round.openPrice,
    opensAtMs: round.opensAtMs,
    bet: null,
  }
  const show = async (change: Partial<PriceHeadlineProps> = {}) => {
    fakeServer().on(marketEndpoints.listCandles, () => candles)
    await draw(<PriceHeadline {...headline} {...change} />)
    await screen.findByText('$4,132.114').catch(() => null)
  }
  const section = () => screen.getByRole('region', { name: marketTexts.price })

  test.each([
    ['the opening without a bet', null, '▲ 0.114 so với giá mở'],
    ['the opening before the entry is known', waiting, '▲ 0.114 so với giá mở'],
    ['the entry of the bet', bet, '▲ 0.212 so với giá vào'],
    [
      'the entry of a bet on a fall alike: the arrow is the price’s',
      { ...bet, direction: 'down' as const },
      '▲ 0.212 so với giá vào',
    ],
    ['a higher entry', { ...bet, entryPrice: 4_132_271 }, '▼ 0.157 so với giá vào'],
    ['an equal entry', { ...bet, entryPrice: 4_132_114 }, '0.000 so với giá vào'],
  ])('compares with %s', async (_, held, text) => {
    hear(opening + 10, 4_132_114)
    await show({ bet: held })
    expect(section().textContent).toContain(text)
    expect(section().textContent).not.toMatch(/[+−]|%/)
  })

  test('computes nothing from a price that is older than the round, or than the entry', async () => {
    hear(opening - 1, 4_132_114)
    await show()
    expect(section().textContent).not.toContain('so với')
    hear(opening, 4_132_000)
    expect(section().textContent).toContain('0.000 so với giá mở')
  })

  test('says nothing from a price before the entry', async () => {
    hear(opening + 5, 4_132_114)
    await show({ bet })
    expect(section().textContent).not.toContain('so với')
    hear(opening + 6, 4_131_902)
    expect(section().textContent).toContain('0.000 so với giá vào')
  })
})

describe('the line above the round', () => {
  const words = () => document.querySelector('[data-way]')
  const show = (held: ChartBet | null, isByPrice = held === null) =>
    draw(<RoundStatus round={round} bet={held} isByPrice={isByPrice} fetched={[]} />)

  test('says without a bet what either side would need, where the price decides', async () => {
    hear(opening + 10, 4_132_114)
    const { unmount } = await show(null)
    expect(words()?.textContent).toBe(marketTexts.wouldNeed('$4,132.114'))
    unmount()
    await show(null, false)
    expect(words()?.textContent).toBe('')
  })

  test('names the next price as the entry until it is known', async () => {
    hear(opening + 5, 4_132_114)
    await show(waiting)
    expect(words()?.textContent).toBe('Giá vào: giá kế tiếp')
  })

  test('follows the ticks: whether the bet is winning, by word and colour', async () => {
    await show(bet)
    const at = (second: number, price: number) => {
      hear(second, price)
      return [words()?.textContent, words()?.getAttribute('data-way')]
    }
    expect(at(opening + 7, 4_132_114)).toEqual(['Đang thắng', 'ahead'])
    expect(at(opening + 8, 4_131_900)).toEqual(['Đang thua', 'behind'])
    expect(at(opening + 9, 4_131_902)).toEqual(['Đang bằng giá vào', 'level'])
    // The price of another round says nothing about this one.
    expect(at(opening + 61, 4_140_000)).toEqual(['Đang bằng giá vào', 'level'])
  })

  test('says nothing of now from a price older than 5 s, as the bet’s card does', async () => {
    await show(bet)
    hear(opening + 7, 4_132_114)
    expect(words()?.textContent).toBe('Đang thắng')
    vi.setSystemTime((opening + 13) * 1000)
    await waitFor(() => expect(words()?.textContent).toBe(''), { timeout: 3_000 })
  })

  test('a screen reader finds nothing of a bet that is over, and hears nothing twice while it runs', () => {
    const status = (held: ChartBet | null) => <RoundStatus round={round} bet={held} isByPrice fetched={[]} />
    const told = () => document.querySelector('[aria-live]')?.textContent
    hear(opening + 10, 4_132_114)
    const { rerender } = render(status(bet))
    const words = marketTexts.told(marketTexts.lead.ahead, 50)
    expect(told()).toBe(words)
    const changes = new MutationObserver(() => {})
    changes.observe(document.body, { subtree: true, childList: true })
    rerender(status({ ...bet }))
    expect(told()).toBe(words)
    expect(changes.takeRecords()).toEqual([])
    rerender(status(null))
    expect(told()).toBe('')
  })

  test('after settlement it stands still with the exit', async () => {
    hear(opening + 50, 4_140_000)
    await show({ ...bet, status: 'won', direction: 'down', exitPrice: 4_131_690 })
    expect(words()?.textContent).toBe(marketTexts.leadAtEnd.ahead)
  })

  test.each([
    ['with', bet],
    ['without', waiting],
  ])('says nothing of a bet %s an entry that was voided without an exit', async (_, held) => {
    await show({ ...held, status: 'voided' })
    hear(opening + 10, 4_140_000)
    expect(words()?.textContent).toBe('')
    expect(document.querySelector('[aria-live]')?.textContent).toBe('')
  })
})

test('the round as a table: each second, a missing one said, the difference from the entry since the entry', async () => {
  const fetched = [
    { second: opening, price: 4_132_000 },
    { second: opening + 1, price: null },
  ]
  hear(opening + 6, 4_131_902)
  await draw(<RoundTable round={round} bet={bet} fetched={fetched} />)
  hear(opening + 7, 4_132_114)
  const rows = screen.getAllByRole('row').slice(1)
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  )
  expect(texts).toEqual([
    ['4,132.114', '+0.212'],
    ['4,131.902', '0.000'],
    ['không có giá', '–'],
    ['4,132.000', '–'],
  ])
  expect(rows[1]?.textContent).toContain('Giá vào')
})

describe('the views', () => {
  const menu = 'Tuỳ chọn'
  function Chart() {
    const choice = useChartView()
    return (
      <>
        <ChartMenuButton id="menu" label={menu} choice={choice}>
          {(close) => <button onClick={close}>Đóng lại</button>}
        </ChartMenuButton>
        <GoldChart choice={choice} menuId="menu" source={null} round={null} bet={null} isByPrice />
      </>
    )
  }
  const openMenu = async ({ user }: Pick<Drawn, 'user'>) => {
    await user.click(screen.getByRole('button', { name: menu }))
    await screen.findByRole('dialog', { name: menu })
  }
  const open = async () => {
    fakeServer().on(marketEndpoints.listCandles, () => ({ ...candles, candles: [] }))
    const drawn = await draw(<Chart />)
    await openMenu(drawn)
    return drawn
  }
  const checked = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).value
  const pin = () => screen.getByRole('switch', { name: marketTexts.pin })

  test('a table of candles is read again each minute, and the chart is not', async () => {
    const read = fakeServer().on(marketEndpoints.listCandles, () => candles)
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const show = (isTable: boolean) =>
      draw(
        <GoldChart
          menuId="menu"
          choice={{ ...({} as ChartChoice), view: '60m', isTable, isTradingView: false }}
          source="simulated"
          round={null}
          bet={null}
          isByPrice
        />,
      )
    // testing-library's waitFor would look again by the faked interval.
    const asked = (times: number) => act(() => vi.waitFor(() => expect(read()).toHaveLength(times)))
    const table = await show(true)
    await asked(1)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    await asked(2)
    table.unmount()
    await show(false)
    await asked(3)
    await act(() => vi.waitFor(() => screen.getByText('candles')))
    await act(() => vi.advanceTimersByTimeAsync(180_000))
    expect(read()).toHaveLength(3)
  })

  test('the round is the first, and a pinned view is kept until it is let go', async () => {
    const first = await open()
    expect(checked()).toBe('round')
    await first.user.click(screen.getByRole('radio', { name: '1 phút' }))
    expect(pin().getAttribute('aria-checked')).toBe('false')
    await first.user.click(pin())
    first.unmount()
    const second = await open()
    expect(checked()).toBe('1m')
    await second.user.click(pin())
    expect(checked()).toBe('1m')
    second.unmount()
    await open()
    expect(checked()).toBe('round')
  })

  test('TradingView’s chart stands in place of ours until it is left or a view is chosen', async () => {
    const drawn = await open()
    const pressInMenu = (name: string) => drawn.user.click(screen.getByRole('button', { name }))
    await pressInMenu(marketTexts.showTradingView)
    await screen.findByText(tradingViewTexts.about)
    await openMenu(drawn)
    // None of the views is shown, and there is none to pin or to write as a table.
    expect(screen.queryByRole('radio', { checked: true })).toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
    await drawn.user.click(screen.getByRole('radio', { name: marketTexts.views.round }))
    expect(screen.queryByText(tradingViewTexts.about)).toBeNull()
    expect(pin().getAttribute('aria-checked')).toBe('false')
  })

  test('the keyboard is in TradingView’s chart once it is opened, and at the menu after the way back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    // This DOM loads no frames, and would print so.
    const makes = vi.spyOn(document, 'createElement')
    makes.mockImplementation((name: string) =>
      document.createElementNS('http://www.w3.org/1999/xhtml', name === 'iframe' ? 'div' : name),
    )
    onTestFinished(() => makes.mockRestore())
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: marketTexts.showTradingView }))
    const press = async (name: string) => {
      act(() => screen.getByRole('button', { name }).focus())
      await user.keyboard('{Enter}')
    }
    const frame = () => screen.getByRole('group', { name: tradingViewTexts.title })
    await waitFor(() => screen.getByRole('button', { name: tradingViewTexts.open }))
    await press(tradingViewTexts.open)
    expect(document.activeElement).toBe(frame())
    act(() => screen.getByRole('button', { name: tradingViewTexts.back }).focus())
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    screen.getByText(tradingViewTexts.failed)
    expect(document.activeElement).toBe(frame())
    await press(commonTexts.retry)
    expect(document.activeElement).toBe(frame())
    await press(tradingViewTexts.back)
    expect(document.activeElement?.id).toBe('menu')
  })

  test('the menu credits the charts’ library with its link, and closes for what else is in it', async () => {
    const drawn = await open()
    const credit = screen.getByRole('link', { name: marketTexts.attribution })
    expect(credit.getAttribute('href')).toBe('https://www.tradingview.com/')
    await drawn.user.click(screen.getByRole('button', { name: 'Đóng lại' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
