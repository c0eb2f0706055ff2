import { describe, expect, test } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow } from '#testing/app/app.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { pdfOf } from '#testing/attack/pdf.ts'
import { testEngines } from '#testing/database/test-database.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

const BOUNDARY = 'xxBOUNDARYxx'

describe.each(testEngines)('a PDF in a conversation on %s', (engine) => {
  const { db, app } = useApp(engine, { settings: { rateLimitFactor: 1_000 } })
  const open = useClients(app)
  const [player, other] = usePeople(db, 2)
  const [admin, colleague] = usePeople(db, 2, { role: 'admin', prefix: 'a' })

  const upload = async (bytes: Uint8Array, name = 'sao kê.pdf', as = player) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n`
    const { body } = await app.http.inject({
      method: 'POST',
      url: '/api/v1/file-upload',
      headers: { authorization: as.bearer, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    })
    return JSON.parse(body) as { code?: string; message: string; data: Record<string, unknown> }
  }
  const urlOf = async (bytes = pdfOf(), name?: string, as?: TestPlayer) =>
    String((await upload(bytes, name, as)).data['url'])
  const read = (url: string, as: TestPlayer) =>
    app.http.inject({ method: 'GET', url, headers: { authorization: as.bearer } })
  const http = callsBelow(app, '/chat')
  const sending = (content: string, more: object = {}) => ({
    ...{ receiverId: admin.id, content, type: 'file', tempId: newId() },
    ...more,
  })
  /** The player sends a PDF to the admin. */
  const send = async (bytes = pdfOf(), name?: string) => {
    const mine = await open(player)
    const url = await urlOf(bytes, name)
    const { ok, message } = await mine.ask('send_message', sending(url))
    expect(ok).toBe(true)
    const { _id: id, conversationId } = message as { _id: string; conversationId: string }
    return { mine, url, id, conversationId, message }
  }
  const acts = async () =>
    (await db.query(`select actor, act, before, after from audit_log where act like 'chat.%' order by seq`)).rows

  test('comes to the other side as a text that names it, for clients that know no files, with its place and size', async () => {
    const theirs = await open(admin)
    const bytes = pdfOf(0, 'bí mật')
    const { url, message, conversationId, mine } = await send(bytes)
    const sent = {
      type: 'text',
      content: '[tệp: sao kê.pdf]',
      image: null,
      file: { url, name: 'sao kê.pdf', bytes: bytes.length },
    }
    expect(message).toMatchObject(sent)
    await theirs.until('receive_message', 1)
    expect(theirs.told('receive_message')[0]).toMatchObject(sent)
    expect((await http(admin, 'GET', `/conversations/${conversationId}/messages`)).rows).toMatchObject([sent])
    expect((await http(admin, 'GET', '/conversations')).rows[0]).toMatchObject({ lastMessage: sent })
    const found = await http(player, 'GET', '/search?text=sao%20ke')
    expect(found.body.data).toMatchObject([sent])
    // Quoted by its name.
    const quotedMessageId = (message as { _id: string })._id
    const answer = { conversationId, content: 'cái này', type: 'text', tempId: newId(), quotedMessageId }
    expect((await mine.ask('send_message', answer))['message']).toMatchObject({
      quoted: { type: 'text', content: '[tệp: sao kê.pdf]' },
    })
    expect((await mine.ask('send_message', answer))['message']).not.toHaveProperty('file')
    const transcript = await read(`/api/v1/chat/conversations/${conversationId}/transcript`, admin)
    expect(transcript.body).toContain(`${player.username}: [tệp: sao kê.pdf]\n`)
  })

  test('is saved byte for byte as an attachment that no browser shows, and may not be kept', async () => {
    const bytes = pdfOf(300_000)
    const { url } = await send(bytes, `sao kê 'tháng 11' (mới)\u202E\u0007.pdf`)
    const { rawPayload, headers, statusCode } = await read(url, admin)
    expect([statusCode, rawPayload.equals(bytes)]).toEqual([200, true])
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="sao k_ _th_ng 11_ _m_i_.pdf"; filename*=UTF-8''sao%20k%C3%AA%20%27th%C3%A1ng%2011%27%20%28m%E1%BB%9Bi%29.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    })
  })

  test('is judged by its bytes, with its own sentence where its name promised a PDF', async () => {
    const script = Buffer.from('<!doctype html><script>alert(1)</script>')
    const codes = [
      await upload(script),
      await upload(Buffer.concat([script, pdfOf()])),
      await upload(pdfOf().subarray(0, -6)),
      await upload(pdfOf(5 * 1024 * 1024 + 1)),
      await upload(script, 'trang.html'),
      await upload(pdfOf(5 * 1024 * 1024), 'anh.png'),
    ]
    expect(codes.map(({ code }) => code)).toEqual([
      ...['PDF_TYPE', 'PDF_TYPE', 'PDF_BROKEN', 'IMAGE_TOO_LARGE', 'IMAGE_TYPE'],
      undefined,
    ])
    expect(codes[5]?.data).toEqual({
      ...{ url: expect.stringMatching(/\.pdf$/), mime: 'application/pdf', name: 'anh.png.pdf', bytes: 5 * 1024 * 1024 },
    })
    expect(codes[0]?.message).toBe('File này không phải là PDF. Vui lòng chọn file PDF hoặc hình ảnh.')
  })

  test('is sent by whoever uploaded it alone, as what it is, and to nobody else by its address', async () => {
    const mine = await open(player)
    const [own, theirs] = [await urlOf(), await urlOf(pdfOf(), 'a.pdf', other)]
    for (const [content, type] of [
      [theirs, 'file'],
      [own, 'image'],
      [own.replace(/.{8}\.pdf/, 'AAAAAAAA.pdf'), 'file'],
      [`https://example.org${own}`, 'file'],
      [`${own}?x=1`, 'file'],
      ['', 'file'],
    ])
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person tries
      expect([content, type, await mine.ask('send_message', sending(content ?? '', { type }))]).toMatchObject([
        content,
        type,
        { code: 'IMAGE_NOT_YOURS' },
      ])
    const tempId = newId()
    const [first, again] = [
      await mine.ask('send_message', sending(own, { tempId })),
      await mine.ask('send_message', sending(own, { tempId })),
    ]
    expect(again['message']).toEqual(first['message'])
  })

  test('is read by its two sides, and by other staff with a line in the audit log; before it is sent by its owner alone', async () => {
    const unsent = await urlOf()
    const statuses = async (url: string) =>
      Promise.all([player, other, admin, colleague].map(async (who) => (await read(url, who)).statusCode))
    expect(await statuses(unsent)).toEqual([200, 404, 404, 404])
    const { url, conversationId } = await send()
    expect(await statuses(url)).toEqual([200, 404, 200, 200])
    expect(await acts()).toEqual([
      { actor: colleague.id, act: 'chat.read', before: null, after: { file: url.split('/').at(-1) } },
    ])
    await db.query(`update users set capabilities = '{}' where id = $1`, [colleague.id])
    await db.query(`update users set is_frozen = true where id = $1`, [admin.id])
    expect(await statuses(url)).toEqual([200, 404, 403, 403])
    await http(player, 'DELETE', `/conversations/${conversationId}`)
    expect((await read(url, player)).statusCode).toBe(404)
  })

  test('in the queue is read by all of staff, with no line in the audit log, and by no other player', async () => {
    const mine = await open(player)
    const url = await urlOf()
    expect(await mine.ask('send_message', sending(url, { receiverId: CARE_DESK.id }))).toMatchObject({ ok: true })
    const statuses = await Promise.all(
      [player, other, admin, colleague].map(async (who) => (await read(url, who)).statusCode),
    )
    expect([statuses, await acts()]).toEqual([[200, 404, 200, 200], []])
  })

  test('gets no other text, and once it was taken back nobody reads it; the audit log knows which it was', async () => {
    const { url, id, conversationId } = await send()
    expect((await http(player, 'PUT', `/messages/${id}`, { content: '[tệp: khác.pdf]' })).body.code).toBe(
      'MESSAGE_FIXED',
    )
    const taken = await http(player, 'DELETE', `/messages/${id}`)
    expect(taken.body.data).toMatchObject({ isRetracted: true, content: '', type: 'text' })
    expect(taken.body.data).not.toHaveProperty('file')
    const [message] = (await http(admin, 'GET', `/conversations/${conversationId}/messages`)).rows
    expect(message).not.toHaveProperty('file')
    const statuses = await Promise.all(
      [player, other, admin, colleague].map(async (who) => (await read(url, who)).statusCode),
    )
    expect(statuses).toEqual([404, 404, 404, 404])
    expect(await acts()).toEqual([
      {
        ...{ actor: player.id, act: 'chat.retract', after: null },
        before: { message: '[tệp: sao kê.pdf]', file: url.split('/').at(-1) },
      },
    ])
  })

  test('finds its messages by an index, however many there are', async () => {
    await send()
    await db.query('analyze messages')
    const { rows } = await db.tx(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query<{ 'QUERY PLAN': string }>(
        `explain select 1 from messages m where m.kind = 'image' and m.content = 'a' or m.file_key = 'b'`,
      )
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('messages_file')
    expect(plan).not.toContain('Seq Scan')
  })
})
