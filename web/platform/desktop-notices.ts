import { readNoticePermission } from './push-subscription.ts'

/** Desktop notifications of the back office (Notifications API). They close when the page is left. */

export type DesktopNotice = {
  readonly title: string
  readonly body: string
  /** The browser shows only one notification per tag; a newer one replaces it. */
  readonly tag: string
  readonly onPress: () => void
}

const shown = new Set<Notification>()

/** Returns a function that closes the notification; null without the permission, and if the browser refuses. */
export function showOnDesktop({ title, body, tag, onPress }: DesktopNotice): (() => void) | null {
  if (readNoticePermission() !== 'granted') return null
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
