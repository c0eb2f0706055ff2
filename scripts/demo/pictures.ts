import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { startDemoServer } from './server.ts'
import { type Person, startWorld } from './world.ts'

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
/** How long the players play before screenshots are taken: by then, rounds of every type have ended. */
const LIVES_S = 240
const SETTLES_MS = 4_000

interface Picture {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly isForStaff: boolean
}

const pictures: readonly Picture[] = [
  { name: 'game', path: '/investment/game', width: 390, height: 844, isForStaff: false },
  { name: 'office', path: '/admin/history', width: 1280, height: 800, isForStaff: true },
]

async function draw(browser: Browser, url: string, { token }: Person, picture: Picture, theme: 'light' | 'dark') {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: picture.width, height: picture.height },
    colorScheme: theme,
    locale: 'vi-VN',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.goto('/login')
  await page.evaluate((value) => {
    localStorage.setItem('access_token', value)
    localStorage.setItem('signed_in_at', String(Date.now()))
    localStorage.setItem('rules_read', 'yes')
  }, token)
  await page.goto(picture.path)
  await sleep(SETTLES_MS)
  await page.screenshot({ path: `${folder}${picture.name}-${theme}.png` })
  await context.close()
}

const server = await startDemoServer('0')
try {
  const world = await startWorld({
    url: server.url,
    players: 60,
    seed: 2026,
    onProblem: (problem) => void process.stderr.write(`${problem}\n`),
  })
  process.stdout.write(`The world lives for ${LIVES_S} s before its pictures are taken.\n`)
  await sleep(LIVES_S * 1000)
  const browser = await chromium.launch({
    ...(process.env['CHROMIUM_PATH'] === undefined ? {} : { executablePath: process.env['CHROMIUM_PATH'] }),
    args: ['--no-sandbox'],
  })
  mkdirSync(folder, { recursive: true })
  const [player] = world.players
  const [, staff] = world.staff
  if (player === undefined || staff === undefined) throw new Error('Nobody is there to look at the pictures.')
  for (const picture of pictures)
    for (const theme of ['light', 'dark'] as const)
      await draw(browser, server.url, picture.isForStaff ? staff : player, picture, theme)
  await browser.close()
  await world.stop()
  process.stdout.write(`Drawn: ${folder}\n`)
} finally {
  await server.stop()
}
