import { useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { hasUpdate, onUpdateFound, takeUpdate, watchForUpdates } from '#web/boot/app-updates.ts'
import { useReach } from '#web/platform/online.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.tsx'
import { updateTexts } from './update-texts.ts'

/** On these screens no reload is offered, because a round may be running. */
const isGame = (pathname: string) => pathname === '/investment/game' || pathname === '/games'

export function UpdateBar() {
  useEffect(watchForUpdates, [])
  const isWaiting = useSyncExternalStore(onUpdateFound, hasUpdate)
  const isReachable = useReach() === 'reachable'
  const isPlaying = useRouterState({ select: ({ location }) => isGame(location.pathname) })
  return (
    <div role="status">
      {isWaiting && isReachable && !isPlaying && (
        <button
          type="button"
          onClick={takeUpdate}
          className="flex min-h-target w-full items-center justify-center gap-2 bg-info-soft px-gutter py-1.5 text-center text-xs font-medium text-info focus-visible:-outline-offset-2"
        >
          <RefreshCw aria-hidden size={14} className="shrink-0" />
          <span>
            {updateTexts.available} <span className="underline underline-offset-4">{updateTexts.take}</span>
          </span>
        </button>
      )}
    </div>
  )
}
