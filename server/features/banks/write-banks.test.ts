import { expect, test } from 'vitest'
import { refusedWith } from '#testing/app/app.ts'
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
  const correct = (more: object) =>
    app.call('PATCH', path, { token: bareToken(minh), body: { ...body, bankNumber: '999888777', ...more } })
  // The same fields as where it was linked (spec §7.4), its owner among them.
  expect(await correct({ author: minh.id })).toMatchObject(refusedWith('BANK_NOT_FOUND'))
  expect((await correct({ author: player.id })).status).toBe(200)
  await Promise.all([owner.until('account_changed', 1), staff.until('user_changed', 1)])
  expect(staff.told('user_changed')).toEqual([{ userId: player.id }])
  for (const client of [owner, staff]) client.close()
})

test('a bank that is sent again, as after a lost answer, is linked once, also as the last one', async () => {
  const [player] = await createPlayers(db, 1)
  const link = (bankNumber: string) =>
    app.call('POST', '/api/v1/bank', {
      token: bareToken(player),
      body: { bankNumber, nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' },
    })
  const [first, again] = await Promise.all([link('0123456789'), link(' 0123 456 789')])
  expect(again.body.data).toEqual(first.body.data)
  await link('111122223333')
  const last = await link('444455556666')
  expect((await link('444455556666')).body).toEqual(last.body)
  expect((await app.call('GET', '/api/v1/bank', { token: bareToken(player) })).body.data).toHaveLength(3)
  expect(await link('777788889999')).toMatchObject(refusedWith('BANK_LIMIT'))
})
