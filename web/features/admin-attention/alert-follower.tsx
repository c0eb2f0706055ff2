import { groupBy } from '#domain/group-by.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import { showOnDesktop } from '#web/platform/desktop-notices.ts'
import { formatCount } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { gathered } from '#web/platform/refresh-after.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import { freshNews, type Memory, type News, newsIn, remember } from './alert-news.ts'
import { attentionQuery } from './api.ts'
import { noticeOf, wayTo } from './attention-words.ts'
import { changeDesktopChoice, readDesktopChoice } from './desktop-choice.ts'

/** If more new matters than this appear at once, one notification stands for all of them. */
const apartMax = 3
const lockName = 'kim-phien-staff-alerts'

/** Refetches `attentionQuery` after server events, and shows new matters on the desktop, if that is turned on. */
export function AlertFollower({ selfId }: { readonly selfId: string }) {
  useHints()
  useDesktop(selfId)
  return null
}

const hints = [
  'transaction_changed',
  'proposal_changed',
  'dispute_changed',
  'receive_message',
  'message_sent',
  'note_added',
] as const

function useHints(): void {
  useEffect(() => {
    const { hear, stop } = gathered(() => void refresh(adminKeys.attention))
    return together(stop, ...hints.map((name) => onServerEvent(name, hear)))
  }, [])
}

/** The Web Locks API; null in an old browser and outside a secure context (HTTPS or localhost). */
const locks = (navigator as { readonly locks?: LockManager | null }).locks ?? null

/** True in only one open page of this browser, so that each notification appears once; in all pages without `locks`. */
function useIsTeller(): boolean {
  const [isTeller, setIsTeller] = useState(locks === null)
  useEffect(() => {
    if (locks === null) return
    const leaving = new AbortController()
    const left = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
    locks
      .request(lockName, { signal: leaving.signal }, () => {
        setIsTeller(true)
        return left
      })
      // The request is rejected if the component unmounts before it gets the lock.
      .catch(() => {})
    return () => leaving.abort()
  }, [])
  return isTeller
}

function useDesktop(selfId: string): void {
  const { data } = useQuery(attentionQuery)
  const capabilities = useContext(OwnCapabilities)
  const self = useMemo(() => ({ id: selfId, capabilities }), [selfId, capabilities])
  const isTeller = useIsTeller()
  const memory = useRef<Memory>(undefined)
  const shown = useRef(new Map<string, () => void>())
  const router = useRouter()
  useEffect(() => {
    if (data === undefined) return
    memory.current ??= remember(data, self)
    if (!isTeller) return
    const { isOn, told: before } = readDesktopChoice()
    const now = newsIn(data, self)
    const { fresh, told, memory: since } = freshNews(now, memory.current, before)
    memory.current = since
    if (told.length !== before.length || fresh.length > 0) changeDesktopChoice({ told })
    const show = (key: string, words: { title: string; body: string }, way: ReturnType<typeof wayTo>) => {
      const close = showOnDesktop({ ...words, tag: key, onPress: () => void router.navigate(way ?? { to: '/admin' }) })
      if (close !== null) shown.current.set(key, close)
    }
    const wanted = isOn ? fresh.filter(({ alert }) => !data.muted.includes(alert)) : []
    if (wanted.length > apartMax) show('several', severalOf(wanted), { to: '/admin' })
    else for (const news of wanted) show(news.key, noticeOf(news), wayTo(news.item))
    // Closes the notification of each matter that is over, and the notification `several` once no matter is left.
    for (const [key, close] of shown.current) {
      const lasts = key === 'several' ? now.length > 0 : now.some((news) => news.key === key)
      if (lasts) continue
      close()
      shown.current.delete(key)
    }
  }, [data, isTeller, router, self])
}

function severalOf(news: readonly News[]): { readonly title: string; readonly body: string } {
  const counts = groupBy(news, ({ alert }) => alert)
  return {
    title: texts.several(formatCount(news.length)),
    body: [...counts].map(([alert, of]) => `${texts.alerts[alert]}: ${formatCount(of.length)}`).join(' · '),
  }
}
