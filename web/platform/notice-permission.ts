/** `blocked`: the user has forbidden notifications, and only the browser's own settings allow them again. */
export type NoticePermission = 'unsupported' | 'blocked' | 'not-asked' | 'granted'

export function readNoticePermission(): NoticePermission {
  if (!('Notification' in globalThis)) return 'unsupported'
  const { permission } = Notification
  return permission === 'denied' ? 'blocked' : permission === 'granted' ? 'granted' : 'not-asked'
}

/** Asks for the permission. Call it in the handler of a press: elsewhere browsers ignore or refuse the question. */
export async function askNoticePermission(): Promise<NoticePermission> {
  if (readNoticePermission() === 'not-asked') await Notification.requestPermission()
  return readNoticePermission()
}
