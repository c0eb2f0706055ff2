import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { reach } from './bundle-graph.ts'

/**
 * Reports the gzip sizes (KiB) of parts of the built web client. The imports in dist/.vite/manifest.json show which
 * files a screen loads.
 * - firstLoad: all code of the sign-in form. home: all code of the home screen.
 * - game: the game screen. admin: the back office's list of users. chat, chatStaff: a conversation, as a player and as
 *   staff see it. Each without the code that is loaded before the screen opens.
 * - chart: the game's chart. plots: the overview's charts.
 * - fonts: not gzipped, since woff2 is compressed.
 */

/** Limits in KiB; a larger size fails the check. */
export const limits = {
  ...{ firstLoad: 120, home: 145, game: 25, chart: 56, admin: 90, chat: 25, chatStaff: 25, plots: 28 },
  ...{ css: 15, fonts: 60 },
}

const entryKey = 'index.html'
const signInKey = 'web/screens/login-screen.tsx'
const guardedKey = 'web/layout/guarded-area.tsx'
const homeKey = 'web/screens/home-screen.tsx'
const gameKey = 'web/screens/game-screen.tsx'
const adminKey = 'web/layout/admin-area.tsx'
const adminScreens = 'web/screens/admin/'
const firstListKey = `${adminScreens}users-screen.tsx`
const overviewKey = `${adminScreens}overview-screen.tsx`
const plotsKey = 'web/features/admin-overview/figure-pictures.tsx'
const badgeKey = 'web/features/chat/unread-badge.tsx'
const supportKey = 'web/screens/support-screen.tsx'
const paneKey = 'web/features/chat/message-pane.tsx'
/** Strings that occur only in the code of the back office, to find that code in chunks that players load. */
const adminMarks = ['sidebar_state', 'manualPagination']
const chartName = 'chart'

/** @returns `sizes` and `notes` in gzip KiB; `problems` with a line for each exceeded limit or other fault */
export async function reportBundle(distDir) {
  /** @type {Record<string, { file: string, name?: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[], css?: string[] }>} */
  const manifest = JSON.parse(await readFile(path.join(distDir, '.vite/manifest.json'), 'utf8'))
  const problems = []

  const kib = async (files, isCompressed = false) => {
    let bytes = 0
    for (const file of files) {
      const content = await readFile(path.join(distDir, file))
      bytes += isCompressed ? content.length : gzipSync(content, { level: 9 }).length
    }
    return bytes / 1024
  }

  const closure = (keys, ...closures) =>
    reach([...closures.flatMap((one) => [...one]), ...keys], (key) => manifest[key]?.imports ?? [])
  const scripts = (keys) => [...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'))
  const minus = (keys, ...others) => [...keys].filter((key) => !others.some((other) => other.has(key)))
  const existing = (key) => {
    if (manifest[key] !== undefined) return [key]
    problems.push(`the build has no chunk for ${key}`)
    return []
  }

  const entry = closure(existing(entryKey))
  const firstLoad = closure(existing(signInKey), entry)
  const guarded = closure(existing(guardedKey), entry)
  const home = closure(existing(homeKey), guarded)
  const gameScreen = closure(existing(gameKey))
  const game = minus(gameScreen, home)
  const chart = Object.keys(manifest).filter((key) => manifest[key].name === chartName)
  const adminPage = (key) => minus(closure(existing(key), closure(existing(adminKey))), guarded)
  const playerShell = closure(existing(badgeKey), home)
  const staffShell = closure([...existing(adminKey), ...existing(badgeKey)], guarded)
  const pane = closure(existing(paneKey))
  const chat = minus(closure(existing(supportKey), pane), playerShell)
  const chatStaff = minus(closure(existing(`${adminScreens}messages-screen.tsx`), pane), staffShell)
  const plots = minus(closure(existing(plotsKey)), new Set(adminPage(overviewKey)), guarded)
  if (chart.length === 0) problems.push(`the build has no chunk named ${chartName}`)

  const parts = { firstLoad, home, game, chart, admin: adminPage(firstListKey), chat, chatStaff, plots }
  const sizes = {}
  for (const [part, keys] of Object.entries(parts)) sizes[part] = await kib(scripts(keys))
  const chunks = Object.values(manifest)
  const stylesheets = chunks
    .flatMap((chunk) => [...(chunk.css ?? []), chunk.file])
    .filter((file) => file.endsWith('.css'))
  const fonts = chunks.map(({ file }) => file).filter((file) => file.endsWith('.woff2'))
  sizes.css = await kib(new Set(stylesheets))
  sizes.fonts = await kib(new Set(fonts), true)
  const notes = { entry: await kib(scripts(entry)), badge: await kib(scripts(minus(closure([badgeKey]), home))) }
  const later = minus(new Set(game.flatMap((key) => manifest[key].dynamicImports ?? [])), home, gameScreen)
  for (const key of later) {
    const beyond = minus(closure([key]), home, gameScreen)
    notes[`game, later: ${manifest[key].name ?? key}`] = await kib(scripts(beyond))
  }

  for (const key of Object.keys(manifest).filter((one) => one.startsWith(adminScreens)))
    notes[`admin: ${path.basename(key, '.tsx')}`] = await kib(scripts(adminPage(key)))

  problems.push(...(await findStrayParts(distDir, manifest, new Set([...firstLoad, ...home, ...gameScreen]))))
  for (const [part, limit] of Object.entries(limits)) {
    if (sizes[part] > limit) problems.push(`${part} is ${sizes[part].toFixed(1)} KiB, the limit is ${limit}`)
  }
  return { sizes, notes, problems, chunks: chunks.length }
}

/** @param early the manifest's keys of all chunks of a player's sign-in form, home screen and game */
async function findStrayParts(distDir, manifest, early) {
  const problems = []
  for (const key of early) {
    const { file, name } = manifest[key]
    if (name === chartName) problems.push(`the ${chartName} chunk is imported statically, not when it is needed`)
    if (!file.endsWith('.js')) continue
    const text = await readFile(path.join(distDir, file), 'utf8')
    if (!text.startsWith('//# allFunctionsCalledOnLoad\n'))
      problems.push(`${file} has something above its compile hint, which then counts for nothing`)
    const mark = adminMarks.find((one) => text.includes(one))
    if (mark !== undefined) problems.push(`${file} is part of a player's load and holds the back office's ${mark}`)
  }
  for (const file of await readdir(distDir, { recursive: true })) {
    if (file.endsWith('.map')) problems.push(`${file} holds the source and would be served`)
    if (!file.endsWith('.js')) continue
    if ((await readFile(path.join(distDir, file), 'utf8')).includes('sourceMappingURL'))
      problems.push(`${file} names a source map`)
  }
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { sizes, notes, problems, chunks } = await reportBundle(path.resolve(process.argv[2] ?? 'dist'))
  console.log(`gzip KiB of ${chunks} built parts`)
  for (const [part, size] of Object.entries(sizes))
    console.log(`${size.toFixed(1).padStart(8)}  ${part} (limit ${limits[part]})`)
  for (const [part, size] of Object.entries(notes)) console.log(`${size.toFixed(1).padStart(8)}  ${part}`)
  for (const problem of problems) console.error(`Bundle: ${problem}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
