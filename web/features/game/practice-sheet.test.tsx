import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { drawRound, PRACTICE_EXIT_SECOND, practiceEnd, practiceRounds } from './practice-rounds.ts'
import { PracticeSheet } from './practice-sheet.tsx'
import { practiceTexts } from './practice-texts.ts'
import { formatGoldPrice } from '#web/platform/formats.ts'

const { round, choice, replay, result } = practiceTexts

let isStill = true
beforeEach(() => {
  isStill = true
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    () =>
      ({ matches: isStill, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList,
  )
  // No call is prepared: a practice asks the server for nothing.
  vi.stubGlobal('fetch', () => {
    throw new Error('A practice has nothing to ask.')
  })
})

async function open({ isBeforeBet = false, nth = 0 } = {}) {
  const returnsTo = isBeforeBet ? 'bet-up' : undefined
  vi.spyOn(Math, 'random').mockReturnValue((nth + 0.5) / practiceRounds.length)
  const onClose = vi.fn()
  const onRules = vi.fn()
  const drawn = await draw(<PracticeSheet returnsTo={returnsTo} onRules={onRules} onClose={onClose} />)
  vi.mocked(Math.random).mockRestore()
  const press = (name: string | RegExp) => drawn.user.click(screen.getByRole('button', { name }))
  const title = (text: string) => screen.findByRole('heading', { name: new RegExp(`^${text}`) })
  return { ...drawn, onClose, onRules, press, title }
}

describe('the practice', () => {
  test.each(practiceRounds.map((_, nth) => nth))('round %i: four cards, and the sides end opposite', async (nth) => {
    const ends: string[] = []
    for (const side of ['Mua', 'Bán'] as const) {
      const { press, title, onClose, unmount } = await open({ nth })
      await title(round.title)
      await press(practiceTexts.next)
      await title(choice.title)
      await press(new RegExp(side))
      await title(replay.title)
      await press(practiceTexts.toResult)
      await title(result.title)
      expect(screen.getByText(practiceTexts.result.nothingMoved)).toBeTruthy()
      ends.push(screen.getByText(/^[+−]0\.50$/).textContent ?? '')
      await press(practiceTexts.done)
      expect(onClose).toHaveBeenCalledOnce()
      unmount()
    }
    expect(ends).toEqual(practiceEnd(drawRound((nth + 0.5) / 8)) === 'up' ? ['+0.50', '−0.50'] : ['−0.50', '+0.50'])
  })

  test('it can be skipped on every card before the result', async () => {
    const { press, onClose } = await open()
    await press(practiceTexts.skip)
    await press(practiceTexts.next)
    await press(practiceTexts.skip)
    await press(/Mua/)
    await press(practiceTexts.skip)
    expect(onClose).toHaveBeenCalledTimes(3)
  })

  test('before a bet it says that nothing was sent, and leads back to the order', async () => {
    const { press, onClose } = await open({ isBeforeBet: true })
    expect(screen.getByText(practiceTexts.notSent)).toBeTruthy()
    await press(practiceTexts.next)
    await press(/Bán/)
    await press(practiceTexts.toResult)
    await press(practiceTexts.backToOrder)
    expect(onClose).toHaveBeenCalledOnce()
  })

  test('its last card leads to the rules', async () => {
    const { press, onRules } = await open()
    await press(practiceTexts.next)
    await press(/Bán/)
    await press(practiceTexts.toResult)
    await press(practiceTexts.toRules)
    expect(onRules).toHaveBeenCalledOnce()
  })

  test('a new card’s title takes the focus', async () => {
    const { press, title } = await open()
    await press(practiceTexts.next)
    expect(document.activeElement).toBe(await title(choice.title))
  })

  test('the round runs by itself to its end, a second at a time; with reduced motion it is there at once', async () => {
    const exit = formatGoldPrice(practiceRounds[0]?.prices[PRACTICE_EXIT_SECOND] ?? 0)
    const still = await open()
    await still.press(practiceTexts.next)
    await still.press(/Mua/)
    await screen.findByText(exit, undefined, { timeout: 150 })
    still.unmount()

    isStill = false
    const { press } = await open()
    await press(practiceTexts.next)
    await press(/Mua/)
    expect(screen.queryByText(exit)).toBeNull()
    await waitFor(() => screen.getByText(exit), { timeout: 6_000 })
    expect(screen.getByText(practiceTexts.exit)).toBeTruthy()
  })
})
