import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Attention, attentionEndpoints } from '#contract/attention.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { type FakeServer, fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import { AlertFollower } from './alert-follower.tsx'
import { AlertSettings } from './alert-settings.tsx'
import { AttentionBell } from './attention-bell.tsx'
import { AttentionCard } from './attention-card.tsx'
import { changeDesktopChoice, readDesktopChoice } from './desktop-choice.ts'
import { attentionOf, item, nowMs, waiting } from '#web/testing/admin-attention.ts'

let server: FakeServer
let answer: Attention
beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  answer = attentionOf([])
  server.on(attentionEndpoints.attention, () => answer)
})

/** The desktop's notifications that are shown now, by their two lines. */
function fakeDesktop(permission: NotificationPermission, answered: NotificationPermission = 'granted') {
  const shown: string[] = []
  class FakeNotification extends EventTarget {
    static permission = permission
    static async requestPermission() {
      FakeNotification.permission = answered
      return answered
    }
    readonly #words: string
    constructor(title: string, { body }: { body: string }) {
      super()
      this.#words = `${title} | ${body}`
      shown.push(this.#words)
    }
    close() {
      shown.splice(shown.indexOf(this.#words), 1)
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  return shown
}

const as = (capabilities: readonly Capability[], part: React.ReactNode) => (
  <OwnCapabilities value={capabilities}>{part}</OwnCapabilities>
)

describe('the card', () => {
  test('says that there is nothing', async () => {
    await draw(<AttentionCard />)
    expect(await screen.findByText(texts.empty)).toBeDefined()
  })

  test('names each thing in the server’s order, with the way to it', async () => {
    answer = attentionOf(
      [
        item('book', { why: 'SILENT' }),
        item('conversation', { newest: [waiting('c')] }),
        item('request', { newest: [waiting('a'), waiting('b')] }),
        item('luck', { count: 7 }),
      ],
      {
        luck: {
          lookedAtMs: nowMs,
          players: 12_345,
          flags: [{ player: { id: 'u1', username: 'maymắn' }, won: 260, decided: 400 }],
        },
      },
    )
    await draw(as(CAPABILITIES, <AttentionCard />))
    const card = await screen.findByRole('region', { name: texts.title })
    expect(await within(card).findByText(texts.whys.SILENT_BOOK, { exact: false })).toBeDefined()
    const ways = within(card)
      .getAllByRole('link')
      .map((link) => `${link.textContent} ${link.getAttribute('href') ?? ''}`)
    expect(ways).toEqual([
      `${texts.open.book} /so-mo`,
      `${texts.open.conversation} /admin/chat?conversation=c`,
      `${texts.open.request} /admin/transaction`,
      'maymắn /admin/user/u1',
    ])
    expect(card.textContent).toContain('thắng 260 / 400 lệnh theo giá')
    expect(card.textContent).toContain('và 6 người khác')
    expect(card.textContent).toContain('So với 12,345 người chơi')
    expect(card.textContent).toContain('nó không tự thay đổi điều gì')
  })

  test('leads nobody to conversations which they may not read', async () => {
    answer = attentionOf([item('conversation', { newest: [waiting('c')] })])
    await draw(as(['money'], <AttentionCard />))
    expect(await screen.findByText(texts.kinds.conversation)).toBeDefined()
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('says that it could not be loaded, and tries again', async () => {
    server.on(attentionEndpoints.attention, () => {
      throw new Refused('NOT_FOUND')
    })
    const { user } = await draw(<AttentionCard />)
    const retry = await screen.findByRole('button', { name: 'Thử lại' })
    server.on(attentionEndpoints.attention, () => answer)
    await user.click(retry)
    expect(await screen.findByText(texts.empty)).toBeDefined()
  })
})

describe('the bell', () => {
  test('counts what its admin can act on, and leads there', async () => {
    answer = attentionOf([
      item('conversation', { newest: [waiting('c')] }),
      item('request', { count: 12, newest: [waiting('a')] }),
    ])
    const { user, address } = await draw(as(['money'], <AttentionBell selfId="me" />))
    const bell = await screen.findByRole('button', { name: 'Thông báo, 12 việc cần chú ý' })
    await user.click(bell)
    expect(screen.queryByRole('menuitem', { name: new RegExp(texts.kinds.conversation) })).toBeNull()
    await user.click(screen.getByRole('menuitem', { name: new RegExp(texts.kinds.request) }))
    await waitFor(() => expect(address()).toBe('/admin/transaction'))
  })

  test.each([
    ['requests and notes alone', ['request', 'mention', 'proposal'], false],
    ['who waits beyond the time for an answer', ['request', 'conversation'], true],
    ['an alarm', ['feed'], true],
  ] as const)('its count is red for what is overdue: %s', async (_, kinds, isRed) => {
    answer = attentionOf(kinds.map((kind) => item(kind, { count: 2 })))
    await draw(as(CAPABILITIES, <AttentionBell selfId="me" />))
    const bell = await screen.findByRole('button', { name: /việc cần chú ý/ })
    expect(bell.innerHTML.includes('bg-down-fill')).toBe(isRed)
  })

  test('leaves out what is switched off', async () => {
    answer = attentionOf([item('request', { newest: [waiting('a')] })], { muted: ['request'] })
    await draw(as(CAPABILITIES, <AttentionBell selfId="me" />))
    expect(await screen.findByRole('button', { name: 'Thông báo' })).toBeDefined()
  })
})

describe('the choice', () => {
  test('switches one kind off on the server', async () => {
    const sent = server.on(attentionEndpoints.setMuted, ({ body }) => {
      answer = { ...answer, muted: body.muted }
      return body
    })
    fakeDesktop('default')
    await draw(<AlertSettings />)
    const proposal = await screen.findByRole<HTMLInputElement>('switch', { name: texts.alerts.proposal })
    fireEvent.click(proposal)
    // From the press itself on: no frame shows it jump back.
    expect(proposal.checked).toBe(false)
    await waitFor(() => expect(sent().map(({ body }) => body.muted)).toEqual([['proposal']]))
  })

  test('asks for the desktop when it is switched on, and shows that it works', async () => {
    const shown = fakeDesktop('default')
    const { user } = await draw(<AlertSettings />)
    const desktop = await screen.findByRole<HTMLInputElement>('switch', { name: texts.desktop })
    expect(desktop.checked).toBe(false)
    await user.click(desktop)
    await waitFor(() => expect(desktop.checked).toBe(true))
    expect(shown).toEqual([`${texts.turnedOn} | ${texts.desktopHint}`])
    expect(readDesktopChoice().isOn).toBe(true)
    await user.click(desktop)
    expect(readDesktopChoice().isOn).toBe(false)
  })

  test('says where the browser forbids or cannot show any', async () => {
    fakeDesktop('default', 'denied')
    const { user, unmount } = await draw(<AlertSettings />)
    await user.click(await screen.findByRole('switch', { name: texts.desktop }))
    expect(await screen.findByText(texts.blocked)).toBeDefined()
    expect(readDesktopChoice().isOn).toBe(false)
    unmount()
    vi.stubGlobal('Notification', undefined)
    Reflect.deleteProperty(globalThis, 'Notification')
    await draw(<AlertSettings />)
    expect(await screen.findByText(texts.unsupported)).toBeDefined()
  })
})

describe('on the desktop', () => {
  const request = (id: string) => waiting(id, { atMs: nowMs + 1_000 })
  const follow = async (capabilities: readonly Capability[] = CAPABILITIES) => {
    const drawn = await draw(
      as(
        capabilities,
        <>
          <AlertFollower selfId="me" />
          <AttentionCard />
        </>,
      ),
    )
    // The first answer is there: what follows is news.
    await waitFor(() => expect(screen.queryByText(texts.empty) ?? screen.queryByRole('list')).not.toBeNull())
    const next = async (then: Attention) => {
      answer = then
      await drawn.askAgain(adminKeys.attention)
    }
    return { ...drawn, next }
  }

  test('a new request is told once, and taken away when it is decided', async () => {
    const shown = fakeDesktop('granted')
    changeDesktopChoice({ isOn: true })
    answer = attentionOf([item('request', { newest: [waiting('old')] })])
    const { next } = await follow()
    expect(shown).toEqual([])
    const both = attentionOf([item('request', { newest: [request('new'), waiting('old')] })])
    await next(both)
    await waitFor(() => expect(shown).toEqual(['Yêu cầu nạp mới | khach-new · 500']))
    await next({ ...both, serverTimeMs: nowMs + 20_000 })
    expect(shown).toHaveLength(1)
    await next(attentionOf([item('request', { newest: [waiting('old')] })]))
    await waitFor(() => expect(shown).toEqual([]))
  })

  test('many at once are one', async () => {
    const shown = fakeDesktop('granted')
    changeDesktopChoice({ isOn: true })
    const { next } = await follow()
    await next(attentionOf([item('request', { newest: ['a', 'b', 'c', 'd'].map(request) })]))
    await waitFor(() => expect(shown).toEqual(['4 việc mới cần chú ý | Yêu cầu mới: 4']))
  })

  test.each([
    ['the desktop is off', false, [], CAPABILITIES],
    ['the kind is off', true, ['request'], CAPABILITIES],
    ['the admin cannot act on it', true, [], ['care']],
  ] as const)('nothing is shown where %s, also not later', async (_, isOn, muted, capabilities) => {
    const shown = fakeDesktop('granted')
    changeDesktopChoice({ isOn })
    const { next } = await follow(capabilities)
    const news = attentionOf([item('request', { newest: [request('a')] })], { muted: [...muted] })
    await next(news)
    if (capabilities === CAPABILITIES) await waitFor(() => expect(readDesktopChoice().told).toHaveLength(1))
    changeDesktopChoice({ isOn: true })
    await next({ ...news, muted: [] })
    expect(shown).toEqual([])
  })
})
