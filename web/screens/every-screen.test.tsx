import { format } from 'node:util'
import { act, cleanup, render } from '@testing-library/react'
import { RouterProvider } from '@tanstack/react-router'
import fc from 'fast-check'
import { beforeEach, expect, inject, test, vi } from 'vitest'
import { identityEndpoints, type Me } from '#contract/identity.ts'
import type { SealState } from '#web/features/seal/sealing.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { writeAccessToken } from '#web/platform/storage.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { makeRouter } from '#web/routes.tsx'
import { fakeServer } from '#web/testing/fake-server.ts'
import { answerEverything, type Generate } from '#web/testing/generated-answers.ts'
import { PROOF_WORDS, unfoldedText } from '#web/testing/proof-words.ts'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { translatePage } from '#web/testing/translate-page.ts'

vi.mock(import('#web/platform/socket.ts'), () => ({
  connectionState: () => 'connected' as const,
  connectionProblem: () => null,
  onConnectionChanged: () => () => {},
  onHandshakeRefused: () => () => {},
  stayJoined: () => () => {},
  reconnectNow: () => {},
  holdConnection: () => () => {},
  askServer: async () => ({ ok: false, code: 'UNSENT', message: '', retryAfterMs: undefined }) as const,
  onServerEvent: () => () => {},
}))
// Everything that is fetched later is there at once.
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterDrawing: (load) => load,
  afterPause: (_, load) => load,
  firstPicture: async () => {},
}))
// This DOM has neither canvas nor workers, nor locks.
Object.defineProperty(navigator, 'locks', {
  value: { request: (_name: string, _options: object, work: (lock: object) => unknown) => work({}) },
})
vi.mock(import('#web/features/market/chart-drawing.tsx'), () => ({ ChartDrawing: () => null }) as never)
const sealed = vi.hoisted((): SealState => ({ is: 'sealed', index: 7, isLate: true }))
vi.mock(import('#web/features/seal/sealing.ts'), () => ({
  sealing: {
    stateOf: () => sealed,
    onChange: () => () => {},
    follow: async () => {},
    resume: async () => {},
  },
}))

/** Every screen, drawn from answers that change: none of them may break it, nor may a translator in the browser. */

const settle = () =>
  act(async () => {
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setTimeout(resolve, 20))
  })

const paths = Object.keys(makeRouter().routesByPath).filter((path) => path !== '/login' && path !== '/register')
const capabilities: NonNullable<Me['capabilities']> = ['money', 'care', 'rounds', 'users', 'owner']

/** Those of a DOM that does not know every tag, and of generated rows that may have a key twice, are none of a screen's. */
const isOfTest = (message: string) => /^(The tag <search>|Encountered two children with the same key)/.test(message)
const complaints: string[] = []
beforeEach(() => {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    const message = format(...args)
    if (!isOfTest(message)) complaints.push(message)
  })
  return () => void vi.restoreAllMocks()
})

async function stands(path: string, g: Generate): Promise<void> {
  cleanup()
  queryClient.clear()
  const server = fakeServer()
  answerEverything(server, g)
  const isStaff = path.startsWith('/admin')
  const me: Me = { ...sampleUser(1), role: isStaff ? 'admin' : 'player', capabilities, passwordResetAtMs: null }
  server.on(identityEndpoints.me, () => me)
  writeAccessToken('token')
  history.replaceState(null, '', path.replace('$id', uuid(5)))
  const router = makeRouter()
  await router.load()
  render(<RouterProvider router={router} />)
  await settle()
  const stop = translatePage()
  for (let turn = 0; turn < (inject('isFull') ? 3 : 2); turn++) {
    await act(() => queryClient.invalidateQueries())
    await settle()
    expect(complaints).toEqual([])
    expect(document.body.textContent).not.toContain(commonTexts.screenFailed)
    expect(document.querySelector('h1')).not.toBeNull()
    if (!isStaff) expect(unfoldedText(document.body)).not.toMatch(PROOF_WORDS)
  }
  stop()
  cleanup()
}

test.each(paths)('%s stands under a translator, whatever the server answers', async (path) => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), (g) => stands(path, g)),
    { numRuns: inject('isFull') ? 10 : 1, endOnFailure: true },
  )
})
