/**
 * Notifications that a page of the back office shows while it is open (Notifications API). They belong to the page:
 * leaving it, or its session, takes them away.
 */

/** `blocked`: only the browser's own settings allow them again. */
export type DesktopPermission = 'unsupported' | 'blocked' | 'not-asked' | 'granted'

export function readDesktopPermission(): DesktopPermission {
  if (!('Notification' in globalThis)) return 'unsupported'
  const { permission } = Notification
  return permission === 'denied' ? 'blocked' : permission === 'granted' ? 'granted' : 'not-asked'
}

/** Call it in the handler of a press. */
export async function askDesktopPermission(): Promise<DesktopPermission> {
  if (readDesktopPermission() === 'not-asked') await Notification.requestPermission()
  return readDesktopPermission()
}

export type DesktopNotice = {
  readonly title: string
  readonly body: string
  /** Of several with one tag the browser shows one. */
  readonly tag: string
  readonly onPress: () => void
}

const shown = new Set<Notification>()

/**
 * Returns the function that takes it away; null where the browser shows none, as on phones, whose browsers leave it to
 * service workers.
 */
export function showOnDesktop({ title, body, tag, onPress }: DesktopNotice): (() => void) | null {
  if (readDesktopPermission() !== 'granted') return null
  try {
    const notice = new Notification(title, { body, tag, lang: 'vi' })
    shown.add(notice)
    notice.addEventListener('close', () => shown.delete(notice))
    notice.addEventListener('click', () => {
      globalThis.focus()
      notice.close()
      onPress()
    })
    return () => notice.close()
  } catch {
    return null
  }
}

globalThis.addEventListener('pagehide', () => {
  for (const notice of shown) notice.close()
})
