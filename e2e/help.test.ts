import { expect, test } from 'vitest'
import { helpTexts, helpTopics } from '#web/features/help/help-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { limitsTexts } from '#web/features/limits/limits-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aPlayer } from './support/api.ts'
import { failures, look } from './support/look.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const questionOf = (id: string) =>
  helpTopics.flatMap(({ questions }) => questions).find((one) => one.id === id) ?? expect.fail(id)

test('a visitor reads the terms before registering, and finds an answer without accents', async () => {
  const { page } = await visit('/register')
  await page.getByRole('link', { name: signInTexts.terms }).click()
  await page.getByText(questionOf('dieu-khoan').answer[0] ?? '').waitFor()
  const search = page.getByRole('searchbox', { name: helpTexts.search })
  await search.fill('chu tich')
  await page.getByText(helpTexts.nothing('chu tich')).waitFor()
  await search.fill('bang nhau hoa')
  await page.getByText(questionOf('hoa').answer[0] ?? '').waitFor()
  await page.getByText(helpTexts.found('1')).waitFor()
  // Visitors have no customer care.
  expect(await page.getByRole('link', { name: commonTexts.askCare }).count()).toBe(0)
})

test('the place that raises a question leads to its answer, and back', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/account/limits', { token })
  await page.getByRole('link', { name: limitsTexts.help }).click()
  await page.getByText(questionOf('gioi-han').answer[0] ?? '').waitFor()
  expect(await page.getByText(questionOf('hoa').answer[0] ?? '').isVisible()).toBe(false)
  await page
    .getByRole('button', { name: commonTexts.back })
    .or(page.getByRole('link', { name: commonTexts.back }))
    .click()
  await page.waitForURL('/account/limits')
})

test('"Hỏi CSKH" on an unexpected error carries the case to the field, and sends nothing by itself', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/account', { token })
  const failure = { statusCode: 500, code: 'INTERNAL', message: 'Có lỗi xảy ra, vui lòng thử lại' }
  await page.route('**/api/v1/user/limits', (route) =>
    route.fulfill({ status: 500, json: failure, headers: { 'x-request-id': 'abc123' } }),
  )
  await page.goto('/account/limits')
  await page.getByRole('link', { name: commonTexts.askCare }).click()
  await page.waitForURL(/\/support\?case=/)
  const field = page.getByLabel(chatTexts.messageLabel)
  await expect.poll(() => field.inputValue()).toContain('abc123')
  expect(await field.inputValue()).toContain('/account/limits')
  expect(await page.getByText(chatTexts.sent).count()).toBe(0)
})

test('customer care asks first what is needed, with the nearest answers, and sends the words to whoever answers', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/support', { token })
  const need = page.getByRole('searchbox', { name: helpTexts.need })
  await need.fill('vi sao lenh cua toi duoc hoan diem the')
  await page.getByText(questionOf('hoan-diem').question).click()
  await page.getByText(questionOf('hoan-diem').answer[0] ?? '').waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'support-near')
  const ask = page.getByRole('button', { name: helpTexts.askAnyway })
  await ask.click()
  // Nobody answers yet: it is for whoever is free.
  await page.getByRole('heading', { name: 'CSKH', level: 2 }).waitFor()
  await page.getByText(chatTexts.sent).waitFor()

  await page.getByRole('button', { name: chatTexts.back }).click()
  await need.fill('con mot cau nua')
  await ask.click()
  await page.getByText('con mot cau nua').last().waitFor()
  await page.getByText('vi sao lenh cua toi duoc hoan diem the').last().waitFor()
})
