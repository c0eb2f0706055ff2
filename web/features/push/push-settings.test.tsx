import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { pushEndpoints, type PushState } from '#contract/push.ts'
import { DEFAULT_PREFERENCES } from '#domain/push/push.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeEndpoint, fakeKey, fakePush } from '#web/testing/fake-push.ts'
import { type FakeServer, fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { toast } from '#web/ui/toast.tsx'
import { PushFollower } from './push-follower.tsx'
import { PushOffer } from './push-offer.tsx'
import { PushSettings, timeOptions } from './push-settings.tsx'
import { pushTexts } from './push-texts.ts'

let server: FakeServer
let state: PushState
beforeEach(() => {
  server = fakeServer()
  state = { ...DEFAULT_PREFERENCES, publicKey: fakeKey, endpoint: null }
  server.on(pushEndpoints.readPush, () => state)
})
/** Answers changes as the server would; the result lists what it was sent. */
const takeChanges = () => ({
  set: server.on(pushEndpoints.setPush, ({ body }) => (state = { ...state, ...body })),
  subscribed: server.on(pushEndpoints.subscribe, ({ body }) => (state = { ...state, endpoint: body.endpoint })),
  unsubscribed: server.on(pushEndpoints.unsubscribe, () => (state = { ...state, endpoint: null })),
})
/** Long enough for what must not happen. */
const settled = () => act(() => new Promise<void>((resolve) => void setTimeout(resolve, 30)))
const deviceSwitch = () => screen.findByRole('switch', { name: pushTexts.device })
const kindSwitch = (kind: keyof typeof pushTexts.kinds) => screen.getByRole('switch', { name: pushTexts.kinds[kind] })

describe('the settings', () => {
  test('are off and quiet until they are switched on; then the browser asks once and the kinds show', async () => {
    const browser = fakePush()
    const { subscribed } = takeChanges()
    const { user } = await draw(<PushSettings />)
    const device = await deviceSwitch()
    expect([device.getAttribute('aria-checked'), browser.asked]).toEqual(['false', 0])
    expect(screen.queryByRole('switch', { name: pushTexts.kinds['care-replied'] })).toBeNull()
    await user.click(device)
    await screen.findByRole('switch', { name: pushTexts.kinds['care-replied'] })
    expect(browser.asked).toBe(1)
    expect(subscribed().map(({ body }) => body.endpoint)).toEqual([fakeEndpoint(1)])
    expect((await deviceSwitch()).getAttribute('aria-checked')).toBe('true')
  })

  test('switch off on the server and in the browser', async () => {
    const browser = fakePush('granted', { endpoint: fakeEndpoint(7) })
    state = { ...state, endpoint: fakeEndpoint(7) }
    const { unsubscribed } = takeChanges()
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await waitFor(() => expect(browser.endpoint).toBeNull())
    expect(unsubscribed()).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('switch', { name: pushTexts.quiet })).toBeNull())
  })

  test('tell whoever has left them that the push service refused', async () => {
    const shown = vi.spyOn(toast, 'error').mockReturnValue()
    fakePush('granted').isReachable = false
    const { unmount } = await draw(<PushSettings />)
    fireEvent.click(await deviceSwitch())
    unmount()
    await waitFor(() => expect(shown.mock.calls).toEqual([[pushTexts.failed(true)]]))
    shown.mockRestore()
  })

  test('say that they could not be switched on where the service worker cannot be installed', async () => {
    fakePush('granted', { isInstallable: false })
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await screen.findByText(pushTexts.failed(true))
    expect((await deviceSwitch()).getAttribute('aria-disabled')).toBeNull()
  })

  test('save a kind at once, and put it back with a reason when that fails', async () => {
    fakePush('granted', { endpoint: fakeEndpoint(7) })
    state = { ...state, endpoint: fakeEndpoint(7) }
    const { set } = takeChanges()
    const { user } = await draw(<PushSettings />)
    await deviceSwitch()
    fireEvent.click(kindSwitch('points-adjusted'))
    // From the press itself on: no frame shows it jump back.
    expect(kindSwitch('points-adjusted').getAttribute('aria-checked')).toBe('false')
    await waitFor(() => expect(set().map(({ body }) => body.kinds['points-adjusted'])).toEqual([false]))
    expect(kindSwitch('points-adjusted').getAttribute('aria-checked')).toBe('false')
    server.on(pushEndpoints.setPush, () => {
      throw new Refused('DATABASE_AWAY')
    })
    await user.click(kindSwitch('care-replied'))
    await waitFor(() => expect(kindSwitch('care-replied').getAttribute('aria-checked')).toBe('true'))
    expect(kindSwitch('points-adjusted').getAttribute('aria-checked')).toBe('false')
  })

  test('show what the server has after a failure, since the change may be done', async () => {
    fakePush('granted', { endpoint: fakeEndpoint(7) })
    state = { ...state, endpoint: fakeEndpoint(7) }
    server.on(pushEndpoints.setPush, ({ body }) => {
      state = { ...state, ...body }
      throw new Refused('INTERNAL')
    })
    server.on(pushEndpoints.unsubscribe, () => {
      state = { ...state, endpoint: null }
      throw new Refused('INTERNAL')
    })
    const { user } = await draw(<PushSettings />)
    const device = await deviceSwitch()
    const kind = kindSwitch('care-replied')
    await user.click(kind)
    await waitFor(() =>
      expect([kind.getAttribute('aria-disabled'), kind.getAttribute('aria-checked')]).toEqual([null, 'false']),
    )
    await user.click(device)
    await waitFor(() =>
      expect([device.getAttribute('aria-disabled'), device.getAttribute('aria-checked')]).toEqual([null, 'false']),
    )
  })

  test('quiet hours are times of the day, can be switched off, and never begin when they end', async () => {
    fakePush('granted', { endpoint: fakeEndpoint(7) })
    state = { ...state, endpoint: fakeEndpoint(7) }
    const { set } = takeChanges()
    const { user } = await draw(<PushSettings />)
    const from = await screen.findByLabelText<HTMLSelectElement>(pushTexts.from)
    expect(from.selectedOptions[0]?.textContent).toBe('22:00')
    expect(within(from).getByRole('option', { name: '07:00' })).toHaveProperty('disabled', true)
    await user.selectOptions(from, '23:30')
    await user.click(screen.getByRole('switch', { name: pushTexts.quiet }))
    await waitFor(() =>
      expect(set().map(({ body }) => body.quiet)).toEqual([{ fromMinute: 1410, toMinute: 420 }, null]),
    )
    expect(screen.queryByLabelText(pushTexts.from)).toBeNull()
    expect(timeOptions(605, 0).find(({ value }) => value === '605')?.label).toBe('10:05')
  })

  test('say how to mend what the browser forbids', async () => {
    fakePush('denied')
    await draw(<PushSettings />)
    await screen.findByText(pushTexts.blocked)
    expect(screen.queryByRole('switch')).toBeNull()
  })

  test('say what a browser without pushes cannot do', async () => {
    await draw(<PushSettings />)
    expect(screen.getByText(pushTexts.unsupported)).toBeTruthy()
  })

  test.each([
    ['forbids it', { answer: 'denied' as const }, pushTexts.blocked],
    ['closes the question', { answer: null }, pushTexts.notGranted],
    ['has no connection to its push service', { isReachable: false }, pushTexts.failed(true)],
  ])('stay off when the user or the browser %s', async (_, start, sentence) => {
    const browser = fakePush('default', start)
    const { subscribed } = takeChanges()
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await screen.findByText(sentence)
    expect([subscribed(), browser.endpoint]).toEqual([[], null])
  })

  test('stand, though the page compares both sides while they are switched on', async () => {
    const browser = fakePush()
    const arrived = Promise.withResolvers<void>()
    server.on(pushEndpoints.subscribe, async ({ body }) => {
      await arrived.promise
      return (state = { ...state, endpoint: body.endpoint })
    })
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await waitFor(() => expect(browser.endpoint).toBe(fakeEndpoint(1)))
    await draw(<PushFollower />)
    await settled()
    arrived.resolve()
    await settled()
    expect([browser.endpoint, state.endpoint]).toEqual([fakeEndpoint(1), fakeEndpoint(1)])
  })

  test('leave no subscription in the browser when the server refuses it', async () => {
    const browser = fakePush()
    server.on(pushEndpoints.subscribe, () => {
      throw new Refused('PUSH_ENDPOINT_INVALID')
    })
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await screen.findByText(pushTexts.failed(true))
    expect(browser.endpoint).toBeNull()
  })

  test.each([
    ['they go on where the server could not be told to stop', new Refused('INTERNAL'), pushTexts.failed(false)],
    ['they may have ended where the answer was lost', new Error('lost'), commonTexts.unsure],
  ])('say that %s', async (_, failure, sentence) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    fakePush()
    takeChanges()
    server.on(pushEndpoints.unsubscribe, () => {
      throw failure
    })
    const { user } = await draw(<PushSettings />)
    await user.click(await deviceSwitch())
    await waitFor(async () => expect(await deviceSwitch()).toHaveProperty('checked', true))
    await user.click(await deviceSwitch())
    await screen.findByText(sentence)
    logged.mockRestore()
  })
})

describe('the offer', () => {
  const yes = () => screen.findByRole('button', { name: pushTexts.offerYes })

  test('asks the browser only after a press, and goes when pushes are on', async () => {
    const browser = fakePush()
    takeChanges()
    const { user } = await draw(<PushOffer about="care-replied" />)
    const button = await yes()
    expect(browser.asked).toBe(0)
    await user.click(button)
    await waitFor(() => expect(screen.queryByRole('button', { name: pushTexts.offerYes })).toBeNull())
    expect([browser.asked, state.endpoint]).toEqual([1, fakeEndpoint(1)])
    await screen.findByText(pushTexts.turnedOn)
  })

  test('is put away for good, on the server', async () => {
    fakePush()
    const { set } = takeChanges()
    const { user } = await draw(<PushOffer about="request-decided" />)
    await yes()
    await user.click(screen.getByRole('button', { name: pushTexts.offerNever }))
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
    await waitFor(() => expect(set().map(({ body }) => body.mayOffer)).toEqual([false]))
  })

  test.each([
    ['where it was put away', 'default', { mayOffer: false }],
    ['where pushes are on', 'granted', { endpoint: fakeEndpoint(7) }],
    ['where the browser forbids it', 'denied', {}],
  ] as const)('does not show %s', async (_, permission, change) => {
    fakePush(permission, { endpoint: 'endpoint' in change ? change.endpoint : null })
    state = { ...state, ...change }
    const asked = server.on(pushEndpoints.readPush, () => state)
    await draw(<PushOffer about="request-decided" />)
    await waitFor(() => expect(asked()).toHaveLength(1))
    await settled()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('a page that opens', () => {
  test('names the subscription that the browser has now', async () => {
    fakePush('granted', { endpoint: fakeEndpoint(8) })
    state = { ...state, endpoint: fakeEndpoint(7) }
    const { subscribed } = takeChanges()
    await draw(<PushFollower />)
    await waitFor(() => expect(subscribed().map(({ body }) => body.endpoint)).toEqual([fakeEndpoint(8)]))
  })

  test('subscribes anew where the server has another key', async () => {
    const browser = fakePush('granted', { endpoint: fakeEndpoint(7), publicKey: `${'C'.repeat(86)}A` })
    state = { ...state, endpoint: fakeEndpoint(7) }
    const { subscribed } = takeChanges()
    await draw(<PushFollower />)
    await waitFor(() => expect(subscribed().map(({ body }) => body.endpoint)).toEqual([fakeEndpoint(1)]))
    expect(browser.publicKey).toBe(fakeKey)
  })

  test('ends what an earlier session left in the browser', async () => {
    const browser = fakePush('granted', { endpoint: fakeEndpoint(7) })
    await draw(<PushFollower />)
    await waitFor(() => expect(browser.endpoint).toBeNull())
  })

  test('calls nothing where the browser has no subscription', async () => {
    fakePush('granted')
    const asked = server.on(pushEndpoints.readPush, () => state)
    await draw(<PushFollower />)
    await settled()
    expect(asked()).toEqual([])
  })
})
