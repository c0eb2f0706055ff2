import { readNoticePermission } from './push-subscription.ts'

/**
 * Shows desktop notifications of the back office (Notifications API). They belong to the page that shows them: they
 * disappear when the page is left or its session ends.
 */

export type DesktopNotice = {
  readonly title: string
  readonly body: string
  /** The browser shows only one notification per tag; a newer one replaces it. */
  readonly tag: string
  readonly onPress: () => void
}

const shown = new Set<Notification>()

/**
 * Shows a notification and returns a function that closes it. Returns null without the permission, and if the browser
 * refuses, as on phones, where only service workers may show notifications.
 */
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
