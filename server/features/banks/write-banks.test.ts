import { expect, test } from 'vitest'
import { useApp } from '#testing/app/use-app.ts'
import { bareToken, openChatClient } from '#testing/app/chat-client.ts'
import { createPlayers } from '#testing/play/rounds.ts'

const { db, app } = useApp('embedded')

test('a bank that staff correct is told to its owner and to other staff', async () => {
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const [player] = await createPlayers(db, 1)
  const [lan, minh] = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0 })
  if (player === undefined || lan === undefined || minh === undefined) throw new Error('nobody was made')
  const body = { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' }
  await app.call('POST', '/api/v1/bank', { token: bareToken(player), body })
  const { rows } = await db.query<{ id: string }>('select id from banks')
  const [owner, staff] = await Promise.all([openChatClient(url, player), openChatClient(url, lan)])
  const path = `/api/v1/bank/${rows[0]?.id}`
  const corrected = await app.call('PATCH', path, { token: bareToken(minh), body: { bankNumber: '999888777' } })
  expect(corrected.status).toBe(200)
  await Promise.all([owner.until('account_changed', 1), staff.until('user_changed', 1)])
  expect(staff.told('user_changed')).toEqual([{ userId: player.id }])
  for (const client of [owner, staff]) client.close()
})
