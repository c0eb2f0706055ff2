import { expect, test } from 'vitest'
import { careFiguresTexts } from '#web/features/admin-overview/care-figures-texts.ts'
import { caseTexts } from '#web/features/chat/case-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { deskTexts } from '#web/features/chat/desk-texts.ts'
import { formatShare } from '#web/platform/formats.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { careTopicTexts } from '#web/parts/care-topic-texts.ts'
import { aPlayer } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { conversationRow, messageField as field, say, writeTo } from './support/message-field.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isOwn: true })
const care = useCare(() => server.url)

test('a case: its topic, the question once, the report, and another case after done', async () => {
  const account = await aPlayer(server.url)
  const { page: player } = await visit('/support', { token: account.token })
  await writeTo(player, 'admin')
  await say(player, 'Mình chưa rút được điểm')
  await player.getByText(chatTexts.sent).waitFor()

  const { page: staff } = await visit('/admin/chat', { token: care.adminToken, width: 1280 })
  await conversationRow(staff, account).click()
  const topic = staff.getByRole('combobox', { name: deskTexts.topic, exact: true })
  await topic.waitFor()
  expect(await topic.inputValue()).toBe('withdrawal')
  await topic.selectOption(careTopicTexts.topics.account)
  await expect.poll(() => topic.inputValue()).toBe('account')
  await say(staff, 'Bạn liên kết ngân hàng trước nhé')
  await player.getByText('Bạn liên kết ngân hàng trước nhé').last().waitFor()
  const question = player.getByRole('form', { name: caseTexts.question })
  expect(await question.count()).toBe(0)
  await look(staff, 'desk-topic', [320, 360, 768, 1280])
  await staff
    .getByRole('region', { name: account.username })
    .getByRole('button', { name: deskTexts.done, exact: true })
    .click()

  await question.waitFor()
  await look(player, 'question', [320, 360, 768, 1280])
  // By keyboard alone.
  await question.getByRole('radio', { name: caseTexts.answers.bad }).focus()
  await player.keyboard.press('Space')
  await player.keyboard.press('ArrowUp')
  expect(await question.getByRole('radio', { name: caseTexts.answers.good }).isChecked()).toBe(true)
  await question.getByLabel(caseTexts.more).fill('Nhanh lắm')
  await look(player, 'question-chosen', [320, 360, 768, 1280])
  expect(await failures(player)).toEqual([])
  await question.getByRole('button', { name: caseTexts.send }).click()
  await player.getByText(caseTexts.thanks).waitFor()
  await player.reload()
  await player.getByRole('button', { name: /Bạn liên kết ngân hàng/ }).click()
  await field(player).waitFor()
  await player.waitForLoadState('networkidle')
  expect(await question.count()).toBe(0)

  // Thanks are another case, about nothing yet.
  await say(player, 'Cảm ơn')
  await player.getByText(chatTexts.sent).last().waitFor()
  await staff.goto(`${server.url}/admin/care-report`)
  await staff.getByText(careFiguresTexts.volumeReading('2', '1')).waitFor()
  await staff.getByText(careFiguresTexts.helpedReading('1', '1', formatShare(1))).waitFor()
  const topics = staff.getByRole('region', { name: careFiguresTexts.byTopic })
  await topics.getByText(careTopicTexts.topics.account).first().waitFor()
  await topics.getByText(careTopicTexts.none).first().waitFor()
  await staff.getByRole('table').getByRole('rowheader', { name: 'admin' }).waitFor()
  expect(await failures(staff)).toEqual([])
  for (const width of [320, 360, 390, 768]) {
    await staff.setViewportSize({ width, height: 800 })
    await expect.poll(() => staff.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await look(staff, 'care-report', [320, 360, 768, 1280])
  await staff.getByRole('link', { name: screenTitles.adminCareReport }).waitFor()
})
