import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { bookTexts } from '#web/features/book/book-texts.ts'
import { checkTexts } from '#web/features/book/check-texts.ts'
import { faultTexts } from '#web/features/book/fault-texts.ts'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { aPlayer, call, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
/** A closed round with one bet. */
let roundId: string
beforeAll(async () => {
  roundId = await aClosedRound(server.url)
}, 180_000)

async function aClosedRound(url: string): Promise<string> {
  const { token } = await aPlayer(url)
  const round = await roundWithLeft(url, token, '30s', 5_000)
  const response = await fetch(`${url}${endpoints.placeBet.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'journey' },
    body: JSON.stringify({ gameId: round.id, score: 100, value: 'UP', seenBasis: 'PRICE' }),
  })
  expect(response.status).toBe(200)
  for (;;) {
    // Not there before the round's entry is sealed.
    const receipt = await call(url, endpoints.readReceipt, { params: { id: round.id } }).catch(() => null)
    if (receipt?.closed != null) return round.id
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Starts the check that the screen shows and answers its sentence, once it is over. */
async function verdict(page: Page): Promise<string> {
  await page.getByRole('button', { name: checkTexts.start }).click()
  const button = page.getByRole('button', { name: checkTexts.again })
  await button.waitFor({ timeout: 60_000 })
  const outcome = page.getByRole('region', { name: checkTexts.result })
  return (await outcome.getByRole('status').or(outcome.getByRole('alert')).textContent()) ?? ''
}

test('a visitor without an account finds the book, reads it, and checks the last rounds', async () => {
  const { page } = await visit('/tro-giup')
  await page.getByRole('link', { name: helpTexts.toBook }).click()
  await page.getByRole('heading', { name: bookTexts.claim }).waitFor()
  // One button checks the last round here, and its result is a sentence.
  await page.getByRole('button', { name: bookTexts.checkAny }).click()
  const outcome = page.getByRole('region', { name: checkTexts.result })
  await outcome.getByText(checkTexts.pending).or(outcome.getByText(checkTexts.right)).waitFor({ timeout: 60_000 })
  // Everything else is folded.
  for (const title of [bookTexts.newest, bookTexts.limits, bookTexts.notes])
    await page.locator('summary').filter({ hasText: title }).click()
  await page.getByText(new RegExp(`^${bookTexts.noteAge} \\d`)).waitFor()
  for (const sentence of bookTexts.admissions) await page.getByText(sentence).waitFor()
  await page.getByRole('radio', { name: bookTexts.kinds.feed }).check({ force: true })
  await page.waitForURL(/\?loai=feed/)
  await page.getByRole('link', { name: bookTexts.toChecker }).click()
  await page.waitForURL('/kiem-chung')
  // The seed of the day is not open yet.
  expect(await verdict(page)).toBe(checkTexts.pending)
  expect(await page.getByText(checkTexts.waitsForSeed).count()).toBeGreaterThan(0)
  await page.locator('summary').filter({ hasText: checkTexts.technical }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: checkTexts.download }).click()
  expect((await download).suggestedFilename()).toMatch(/^kiem-chung-.*\.json$/)
})

test('a round from its receipt’s address is checked with its bet', async () => {
  const { page } = await visit(`/kiem-chung?vong=${roundId}`)
  expect(await page.getByLabel(checkTexts.round).inputValue()).toBe(roundId)
  expect(await verdict(page)).toBe(checkTexts.pending)
  const words = (await page.getByText(checkTexts.summary('1', '1', '').split(',')[0] ?? '').textContent()) ?? ''
  expect(words).toContain('1 lệnh')
})

test('one byte that is changed on the way is found and named', async () => {
  const { page } = await visit('/kiem-chung')
  await page.route('**/log/tile/entries/**', async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body[40] = (body[40] ?? 0) ^ 1
    const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers()
    await route.fulfill({ status: 200, headers, body })
  })
  expect(await verdict(page)).toBe(checkTexts.wrong('1'))
  await page.locator('summary').filter({ hasText: checkTexts.faults }).click()
  await page.getByText(faultTexts['entry-hash']).waitFor()
})

test('a bet that is told with another profit is found and named', async () => {
  const { page } = await visit(`/kiem-chung?vong=${roundId}`)
  await page.route('**/receipt/bets**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const changed = text.replace(/(\\"profit\\":)(-?\d+)/, '$1777')
    expect(changed).not.toBe(text)
    const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers()
    await route.fulfill({ status: 200, headers, body: changed })
  })
  expect(await verdict(page)).toContain(checkTexts.wrong('').split(':')[0])
  await page.locator('summary').filter({ hasText: checkTexts.faults }).click()
  await page.getByText(faultTexts['lines-root']).waitFor()
  await page.getByText(faultTexts.profit).waitFor()
  await page.getByText(checkTexts.found('777'), { exact: false }).waitFor()
})
