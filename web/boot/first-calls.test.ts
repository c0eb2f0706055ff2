import { afterEach, expect, test, vi } from 'vitest'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { chatApi } from '#web/features/chat/api.ts'
import { prefetch as askForAccount } from '#web/layout/guarded-area.tsx'
import { queryClient } from '#web/platform/query-client.ts'
import { writeSelectedGameType } from '#web/platform/storage.ts'
import { prefetch as askForRounds } from '#web/screens/admin/rounds-screen.tsx'
import { prefetch as askForGame } from '#web/screens/game-screen.tsx'
import { prefetch as askForMarket } from '#web/screens/investment-screen.tsx'
import { earlyPaths } from './first-calls.ts'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** The paths that the page's code requests from the server. */
async function pathsAskedBy(ask: () => void): Promise<readonly string[]> {
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return new Promise(() => {})
  })
  ask()
  await new Promise((resolve) => setTimeout(resolve, 20))
  return asked.toSorted()
}

const askForCare = () => {
  void chatApi.loadUsers()
  void chatApi.loadConversations()
}

/** By address of web/boot/first-calls.ts: the code that makes the same requests once it has loaded. */
const screens: Readonly<Record<string, () => void>> = {
  '/investment': askForMarket,
  '/investment/game': askForGame,
  '/games': askForGame,
  '/support': askForCare,
  '/admin/chat': askForCare,
  '/admin/game': () => askForRounds({}),
}

test('every address with early calls has its screen here', () => {
  expect(Object.keys(screens).toSorted()).toEqual(Object.keys(earlyPaths.early).toSorted())
})

test.each(Object.entries(screens))('the early calls of %s are the first calls of its screen', async (address, ask) => {
  for (const type of ROUND_TYPES) {
    queryClient.clear()
    writeSelectedGameType(type)
    const early = earlyPaths.early[address] ?? []
    expect(await pathsAskedBy(ask)).toEqual(early.map((path) => path.replace('{type}', type)).toSorted())
  }
})

test('the early call of every guarded address is the first call of its frame', async () => {
  expect(await pathsAskedBy(askForAccount)).toEqual(earlyPaths.everywhere)
})
