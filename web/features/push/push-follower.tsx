import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pushEndpoints } from '#contract/push.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endSubscription, oneAtATime, readSubscription, subscribeBrowser } from '#web/platform/push-subscription.ts'
import { saveSubscription } from './api.ts'

/** Saves the browser's subscription again if the subscription or the server's key has changed since the last save. */
async function followSubscription(): Promise<void> {
  const browser = await readSubscription()
  if (browser === null) return
  const { endpoint, publicKey } = await callEndpoint(pushEndpoints.readPush, {})
  // The server has no subscription for this session, so the browser's subscription is from an earlier session.
  if (endpoint === null) return endSubscription()
  const hasOtherKey = browser.publicKey !== null && browser.publicKey !== publicKey
  if (endpoint === browser.endpoint && !hasOtherKey) return
  await saveSubscription(hasOtherKey ? await subscribeBrowser(publicKey) : browser)
}

const isOpenRequest = (data: unknown): data is { readonly open: string } =>
  typeof data === 'object' && data !== null && 'open' in data && typeof data.open === 'string'

/** Keeps the push subscription up to date, and opens the path of a pressed notification without a reload. */
export function PushFollower() {
  const router = useRouter()
  useEffect(() => {
    // A failure is ignored, since each page load tries again.
    oneAtATime(followSubscription).catch(() => {})
  }, [])
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return undefined
    const open = ({ data, ports }: MessageEvent<unknown>) => {
      if (!isOpenRequest(data) || !/^\/(?!\/)/.test(data.open)) return
      router.history.push(data.open)
      ports[0]?.postMessage('opened')
    }
    navigator.serviceWorker.addEventListener('message', open)
    return () => navigator.serviceWorker.removeEventListener('message', open)
  }, [router])
  return null
}
