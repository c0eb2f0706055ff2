import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SYSTEM_PAGES, systemEndpoints } from '#contract/system.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { systemTexts as texts } from './admin-system-texts.ts'
import type { System } from './api.ts'
import { useRehearsalNotice } from './rehearsal-notice.ts'
import { SystemParts } from './system-parts.tsx'

const nowMs = Date.UTC(2026, 10, 26, 8)
const minute = 60_000
type Part = System['parts'][number]
const part = (name: Part['part'], facts: Part['facts'] = {}, is: Part['is'] = 'ok', why: Part['why'] = null): Part => ({
  ...{ part: name, is, why, facts },
})

function answering(parts: Part[], failures: System['failures'] = []) {
  const server = fakeServer()
  server.on(systemEndpoints.system, () => ({ parts, failures, serverTimeMs: nowMs }))
  return server
}
const drawParts = () => draw(<SystemParts alarmText={(kind, why) => `${kind}: ${why}`} />)
const rowOf = async (name: string) =>
  within((await screen.findByRole('heading', { name })).closest('li') ?? document.body)
const headingOf = ({ name }: { readonly name: string }, state: string) => `${name}${state}`

test('all is right: each part with its state in a word, what was found, and no error yet', async () => {
  answering([
    part('version', { version: '1.0.0' }),
    part('disk', { freeBytes: 20_000_000_000, allBytes: 40_000_000_000, growthBytes: 50_000_000, daysLeft: 400 }),
    part('backup', { atMs: nowMs - 12 * minute }),
    part('ledger', { atMs: nowMs - minute }),
    part('use', { sessions: 1_234, sockets: 56 }),
  ])
  await drawParts()
  await screen.findByText(texts.summary(0))
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(
    [texts.parts.ledger, texts.parts.backup, texts.parts.disk, texts.parts.use, texts.parts.version].map((each) =>
      headingOf(each, texts.states.ok),
    ),
  )
  const disk = await rowOf(`${texts.parts.disk.name} ${texts.states.ok}`)
  expect(disk.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    ...['20.0 GB', '40.0 GB', '50 MB', texts.days('400')],
  ])
  expect(disk.queryByText(texts.parts.disk.todo)).toBeNull()
  const backup = await rowOf(`${texts.parts.backup.name} ${texts.states.ok}`)
  backup.getByText('12 phút trước (26/11/2026 14:48)')
  expect(backup.queryByText(texts.guide, { exact: false })).toBeNull()
  const use = await rowOf(`${texts.parts.use.name} ${texts.states.ok}`)
  use.getByText('1,234')
  screen.getByText(texts.noFailures)
})

test('what is wrong comes first, then what nobody knows, each with what to do', async () => {
  answering(
    [
      part('version', { version: '1.0.0', newer: '1.1.0' }, 'ok', 'NEWER'),
      part('redis', {}, 'skipped', 'LATE'),
      part('disk', { freeBytes: 900_000_000, allBytes: 40_000_000_000 }, 'wrong', 'FULL'),
      part('feed', { source: 'Pyth' }, 'wrong', 'SILENT'),
      part('ledger', {}, 'wrong', 'BROKEN'),
    ],
    [{ text: 'A request failed', code: 'TypeError', count: 1_200, atMs: nowMs - 5 * minute }],
  )
  await drawParts()
  await screen.findByText(texts.summary(3))
  const { wrong, skipped, ok } = texts.states
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    headingOf(texts.parts.feed, wrong),
    headingOf(texts.parts.ledger, wrong),
    headingOf(texts.parts.disk, wrong),
    headingOf(texts.parts.redis, skipped),
    headingOf(texts.parts.version, ok),
  ])
  const feed = await rowOf(`${texts.parts.feed.name} ${wrong}`)
  feed.getByText('feed: SILENT')
  feed.getByText(texts.parts.feed.todo)
  feed.getByText(SYSTEM_PAGES.feed)
  const disk = await rowOf(`${texts.parts.disk.name} ${wrong}`)
  disk.getByText(texts.whys.FULL)
  disk.getByText(texts.growthUnknown)
  const redis = await rowOf(`${texts.parts.redis.name} ${skipped}`)
  redis.getByText(texts.whys.LATE)
  const ledger = await rowOf(`${texts.parts.ledger.name} ${wrong}`)
  ledger.getByText(texts.whys.BROKEN)
  const version = await rowOf(`${texts.parts.version.name} ${ok}`)
  version.getByText('1.1.0')
  version.getByText(texts.parts.version.todo)
  const failures = within(screen.getByRole('region', { name: texts.failures }))
  expect(failures.getByRole('listitem').textContent).toBe(
    'A request failed TypeError1,200 lần · 5 phút trước (26/11/2026 14:55)',
  )
})

test('while it is loaded and where it cannot be', async () => {
  const { promise, reject } = Promise.withResolvers<System>()
  fakeServer().on(systemEndpoints.system, () => promise)
  await drawParts()
  await screen.findByRole('status')
  reject(new Refused('DATABASE_AWAY'))
  await screen.findByRole('alert')
  screen.getByRole('button', { name: 'Thử lại' })
})

function Notice() {
  const notice = useRehearsalNotice()
  return (
    notice && (
      <>
        <p>{notice.title}</p>
        <p>{notice.detail}</p>
        <a href={notice.to}>{notice.open}</a>
      </>
    )
  )
}

test('the overview says that the rehearsal failed or is overdue, to owners alone', async () => {
  const server = answering([part('rehearsal', { atMs: nowMs }, 'wrong', 'OLD')])
  await draw(<Notice />)
  await screen.findByText(texts.whys.OLD)
  expect(screen.getByRole('link', { name: texts.toSystem }).getAttribute('href')).toBe('/admin/system')
  const before = server.calls().length
  const drawn = await draw(
    <OwnCapabilities value={['money']}>
      <Notice />
    </OwnCapabilities>,
  )
  expect(within(drawn.container).queryByText(texts.rehearsalWrong)).toBeNull()
  expect(server.calls()).toHaveLength(before)
})

test.each([
  part('rehearsal', {}, 'skipped', 'NONE'),
  part('rehearsal', { atMs: nowMs }),
  part('backup', {}, 'wrong', 'OLD'),
])('the overview says nothing of it otherwise: $part $is', async (given) => {
  const server = answering([given])
  await draw(<Notice />)
  await waitFor(() => expect(server.calls()).toHaveLength(1))
  expect(screen.queryByText(texts.rehearsalWrong)).toBeNull()
})
