import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { readShownBetIds } from '#web/platform/storage.ts'
import { setUnreadNotices } from '#web/platform/unread-notices.ts'
import { toast } from '#web/ui/toast.tsx'
import { markReadIfAll, newestQuery, type Notice, noticeListsKey, noticesKey } from './api.ts'
import { createNews } from './news.ts'
import { noticeLine } from './notice-words.ts'
import { noticeTexts } from './notices-texts.ts'

/** Events share one request after a partly random pause, so that clients with the same event do not all ask at once. */
const gatherMs = 200
const spreadMs = 800
/** The toast of a bet waits this long for the game's popup. */
const popupMs = 5_000

type Self = { readonly id: string; readonly role: 'player' | 'admin' }

/** Publishes the number of unread notices for the bell, and shows new notices in a toast. */
export function NoticeFollower({ self }: { readonly self: Self }) {
  const { data } = useQuery(newestQuery)
  useHints(self.id)
  useNews(data?.notices, self.role === 'admin')
  useEffect(() => {
    if (data !== undefined) setUnreadNotices(data.unread)
  }, [data])
  return null
}

/** Refetches the notices after events that may change them. While the page is hidden, the refetch waits. */
function useHints(selfId: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isDue = false
    const ask = () => {
      timer = undefined
      if (document.visibilityState !== 'visible') return
      isDue = false
      void refresh(noticesKey)
    }
    const hint = () => {
      isDue = true
      timer ??= setTimeout(ask, gatherMs + Math.random() * spreadMs)
    }
    const show = () => {
      if (isDue) ask()
    }
    document.addEventListener('visibilitychange', show)
    const stop = together(
      onServerEvent('notices_changed', hint),
      onServerEvent('account_changed', hint),
      onServerEvent('bet_changed', ({ isSettled }) => isSettled !== false && hint()),
      onServerEvent('receive_message', ({ sender }) => sender.id !== selfId && hint()),
      onServerEvent('message_read', ({ readerId }) => readerId === selfId && hint()),
      // If a conversation gets another holder, its unread messages move to the new holder's notices.
      onServerEvent('conversation_removed', hint),
      onServerEvent('conversation_changed', hint),
    )
    // The lists may have been fetched before this code listened to events, so they may be outdated.
    void refresh(noticeListsKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', show)
      stop()
    }
  }, [selfId])
}

function tell(notices: readonly Notice[], isStaff: boolean): void {
  const [only] = notices
  if (only === undefined) return
  toast.info(notices.length === 1 ? noticeLine(only, isStaff) : noticeTexts.several(formatCount(notices.length)))
}

/** Shows a toast for the notices that no popup of the game has shown in any tab, and marks the others as read. */
function tellUnshown(notices: readonly Notice[], isStaff: boolean): void {
  const shown = readShownBetIds()
  const isShown = ({ bet }: Notice) => bet !== null && shown.includes(bet.id)
  tell(
    notices.filter((notice) => !isShown(notice)),
    isStaff,
  )
  void markReadIfAll(notices.filter(isShown).map(({ id }) => id)).catch(() => {})
}

function useNews(newest: readonly Notice[] | undefined, isStaff: boolean): void {
  const router = useRouter()
  const [newsIn] = useState(() => createNews(isStaff))
  const waiting = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const timers = waiting.current
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  useEffect(() => {
    if (newest === undefined) return
    const { now, later } = newsIn(newest, router.state.location.pathname)
    tellUnshown(now, isStaff)
    if (later.length === 0) return
    const timer = setTimeout(() => {
      waiting.current.delete(timer)
      tellUnshown(later, isStaff)
    }, popupMs)
    waiting.current.add(timer)
  }, [newest, newsIn, router, isStaff])
}
