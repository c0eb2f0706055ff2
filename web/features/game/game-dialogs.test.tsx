import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bookPageEndpoints } from '#contract/book-pages.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { commonTexts } from '#web/platform/texts.ts'
import { betButtonId, gameMenuId } from './bet-form-id.ts'
import { GameDialogs, type GameDialogsProps } from './game-dialogs.tsx'
import { practiceTexts } from './practice-texts.ts'
import { rulesTexts } from './rules-texts.ts'
import { useRules } from './use-betting.ts'

/** The dialogs with a bet button and the menu, as the game screen has them. The chosen order stays as there. */
function Screen() {
  const rules = useRules(0)
  const parts = {
    game: { held: { bet: null, isStanding: false } },
    betting: { rules, isPlayer: false, chosen: { direction: 'up', stakeMinor: 10_000n, type: '60s' } },
    popup: { bet: null },
    seal: () => null,
  } as unknown as GameDialogsProps
  return (
    <>
      <button type="button" id={betButtonId('up')} onClick={rules.practiseBeforeBet}>
        bet
      </button>
      <button type="button" id={gameMenuId} onClick={rules.open}>
        menu
      </button>
      <GameDialogs {...parts} />
    </>
  )
}

test('the focus returns to the bet button only from what a press on it opened, not from the rules of the menu', async () => {
  // The rules show measured rates.
  fakeServer().on(bookPageEndpoints.readRates, () => Promise.withResolvers<never>().promise)
  const { user } = await draw(<Screen />)
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
  const focused = () => document.activeElement?.textContent
  await press('bet')
  await press(practiceTexts.skip)
  await waitFor(() => expect(focused()).toBe('bet'))
  await press('menu')
  await screen.findByRole('dialog', { name: rulesTexts.title })
  await press(commonTexts.close)
  await waitFor(() => expect(focused()).toBe('menu'))

  // From the practice before a bet the rules lead back to the bet.
  await press('bet')
  await press(practiceTexts.next)
  await user.click(await screen.findByRole('button', { name: /Mua/ }))
  await press(practiceTexts.toResult)
  await press(practiceTexts.toRules)
  await press(rulesTexts.understood)
  await waitFor(() => expect(focused()).toBe('bet'))
})
