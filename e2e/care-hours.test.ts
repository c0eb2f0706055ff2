import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { weekdayOf } from '#domain/chat/hours.ts'
import { endpoints } from '#contract/endpoints.ts'
import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { actText } from '#web/features/admin-audit/audit-words.ts'
import { awayTexts } from '#web/features/chat/away-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { hoursTexts } from '#web/features/chat/hours-texts.ts'
import { transcriptTexts } from '#web/features/chat/transcript-texts.ts'
import { formatDate } from '#web/platform/formats.ts'
import { conversationRow, writeTo } from './support/message-field.ts'
import { aPlayer, call } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isOwn: true })
const care = useCare(() => server.url)

test('an owner closes customer care, a player reads when it opens and writes, and staff save what was said', async () => {
  const { page: office } = await visit('/admin/security', { token: care.adminToken, width: 1280, height: 900 })
  const card = office.getByRole('region', { name: hoursTexts.title })
  // Today and tomorrow, so that midnight may pass.
  const days = [0, 1, 2].map((later) => dayAfter(dayOf(Date.now()), later))
  for (const day of days.slice(0, 2)) {
    const name = hoursTexts.weekdays[weekdayOf(startOfDayMs(day))] ?? ''
    await card.getByRole('switch', { name }).uncheck()
  }
  await card.getByLabel(hoursTexts.awayText).fill('Chúng tôi nghỉ hai ngày, bạn cứ nhắn.')
  await card.getByRole('button', { name: hoursTexts.save }).click()
  await office.getByText(hoursTexts.saved).waitFor()
  expect(await failures(office)).toEqual([])
  await look(office, 'hours', [320, 360, 768, 1280])

  const account = await aPlayer(server.url)
  const { page: player } = await visit('/support', { token: account.token, width: 360, height: 740 })
  const opensMs = startOfDayMs(days[2] ?? '')
  const opening = awayTexts.opensAt(
    '00:00',
    awayTexts.onWeekday[(weekdayOf(opensMs) + 1) % 7] ?? '',
    formatDate(opensMs).slice(0, 5),
  )
  await player.getByText(opening).waitFor()
  await player.getByText('Chúng tôi nghỉ hai ngày, bạn cứ nhắn.').waitFor()
  await look(player, 'away-list', [320, 360, 768, 1280])
  await writeTo(player, 'admin')
  await player.getByLabel(chatTexts.messageLabel).fill('Cho mình hỏi\nvề phiên hôm qua')
  await player.getByText(opening).waitFor()
  await player.getByRole('button', { name: chatTexts.send }).click()
  await player.getByText(chatTexts.sent).waitFor()
  expect(await failures(player)).toEqual([])
  await look(player, 'away-conversation', [320, 360, 768, 1280])

  await office.goto(`${server.url}/admin/chat`)
  await conversationRow(office, account).click()
  await office.getByRole('button', { name: chatTexts.customer }).click()
  const panel = office.getByRole('complementary', { name: chatTexts.customer })
  await panel.getByText(besideTexts.noBets).waitFor()
  expect(await failures(office)).toEqual([])
  await look(office, 'transcript', [1280])
  const [download] = await Promise.all([
    office.waitForEvent('download'),
    panel.getByRole('button', { name: transcriptTexts.save }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^tro-chuyen-[\d-]+\.txt$/)
  const saved = await readFile(await download.path(), 'utf8')
  expect(saved).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d ${account.username}: Cho mình hỏi ↵ về phiên hôm qua\\n$`))

  const { items } = await call(server.url, endpoints.attention, { token: care.adminToken })
  expect(items.map(({ kind }) => kind)).not.toContain('conversation')
  await office.goto(`${server.url}/admin/audit`)
  for (const act of ['chat.hours', 'chat.transcript']) await office.getByRole('row').getByText(actText(act)).waitFor()
})
