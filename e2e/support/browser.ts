import { type Browser, type BrowserContext, chromium, type Page, type WebSocket } from 'playwright-core'
import { afterEach, beforeAll, expect, inject } from 'vitest'
import { deviceOf } from './devices.ts'

export type Visitor = { readonly context: BrowserContext; readonly page: Page }

export type VisitorOptions = {
  /** Signs in with this token. */
  readonly token?: string
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly reducedMotion?: boolean
  /** A player who has not read the game's rules in this browser: they are shown before the first bet. */
  readonly isNewToRules?: boolean
  /** Enables the service worker; without it, the test's routes see every request. */
  readonly hasServiceWorker?: boolean
  /** The test causes an error in the page on purpose. */
  readonly throws?: boolean
}

/** Chromium, or its shell alone: without windows, tabs and menus of its own, which cost half as much again, but also without notifications. */
export type Program = 'shell' | 'whole'

/** One of each for every journey of this process, which ends with it. */
const launched = new Map<Program, Promise<Browser>>()
function launch(program: Program): Promise<Browser> {
  const { CHROMIUM_PATH: whole = '/usr/bin/chromium', CHROMIUM_SHELL_PATH: shell = whole } = process.env
  const browser =
    launched.get(program) ??
    chromium.launch({ executablePath: program === 'shell' ? shell : whole, args: ['--no-sandbox'] })
  launched.set(program, browser)
  return browser
}

/** The sockets of each page that the server has let in. */
const letIn = new WeakMap<Page, Set<WebSocket>>()
function noteSockets(page: Page): void {
  const open = new Set<WebSocket>()
  letIn.set(page, open)
  // Requests of the previous page are not reported when they end.
  page.on('domcontentloaded', () => open.clear())
  page.on('websocket', (socket) => {
    // Socket.io's own word for it.
    socket.on('framereceived', ({ payload }) => String(payload).startsWith('40') && open.add(socket))
    socket.on('close', () => open.delete(socket))
  })
}

/**
 * Lets `goto` begin again if the page's own step back in the history ended the navigation: a dialog that has just closed
 * leaves its entry that way (web/ui/back-closes.ts), a moment after it is gone from the screen.
 */
function outlastsSteps(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = (...args) =>
    goto(...args).catch((error: unknown) => {
      if (String(error).includes('net::ERR_ABORTED')) return goto(...args)
      throw error
    })
}

/** Waits until the server's events reach the page: its socket is opened after its first screen, one part after the other. */
export async function connected(page: Page): Promise<void> {
  await expect.poll(() => letIn.get(page)?.size ?? 0).toBeGreaterThan(0)
}

/**
 * Opens a path of the product, which `about:blank` is not. With a token, the page is signed in before it begins, so that
 * results settled earlier are not shown. The browser's own way to fill a storage, `storageState`, opens a page of its
 * own for it each time.
 */
export async function openPage(
  context: BrowserContext,
  path: string,
  { token, isNewToRules = false }: Pick<VisitorOptions, 'token' | 'isNewToRules'>,
): Promise<Page> {
  const page = await context.newPage()
  if (token === undefined) {
    await page.goto(path)
    return page
  }
  const kept = { access_token: token, signed_in_at: String(Date.now()), ...(!isNewToRules && { rules_read: 'yes' }) }
  const script = await page.addInitScript((items) => Object.assign(localStorage, items), kept)
  await page.goto(path)
  await script.dispose()
  return page
}

/**
 * A Chromium for one file of journeys. `visit` opens the product at a path in a new browser profile. Everything that
 * the page prints as an error or throws fails the test, except the browser's own lines about refused requests.
 */
export function useBrowser(urlOf: () => string, program: Program = 'shell') {
  const device = deviceOf(expect.getState().testPath ?? '', inject('isOnOtherDevice'))
  let browser: Browser
  const open = new Set<BrowserContext>()
  const complaints: string[] = []

  beforeAll(async () => void (browser = await launch(program)))
  afterEach(async () => {
    for (const context of open) await context.close()
    open.clear()
    expect(complaints.splice(0)).toEqual([])
  })

  async function visit(path: string, options: VisitorOptions = {}): Promise<Visitor> {
    const { width = device.width, height = device.height, theme = device.theme } = options
    const context = await browser.newContext({
      baseURL: urlOf(),
      viewport: { width, height },
      hasTouch: device.hasTouch,
      colorScheme: theme,
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
      locale: 'vi-VN',
      serviceWorkers: options.hasServiceWorker === true ? 'allow' : 'block',
    })
    open.add(context)
    // On a machine with other work the same journeys have taken three times as long.
    context.setDefaultTimeout(30_000)
    context.on('page', noteSockets)
    context.on('page', outlastsSteps)
    if (options.throws !== true) context.on('weberror', (error) => complaints.push(`threw: ${error.error().message}`))
    context.on('console', (message) => {
      const isRefusedRequest = /^Failed to load resource|WebSocket connection to/.test(message.text())
      if (message.type() === 'error' && !isRefusedRequest) complaints.push(`printed: ${message.text()}`)
    })
    return { context, page: await openPage(context, path, options) }
  }

  return { device, visit }
}

/** A device that makes and uses passkeys without asking anybody. */
export async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
