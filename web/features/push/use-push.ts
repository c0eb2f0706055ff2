import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PushPreferences } from '#domain/push/push.ts'
import { failureText } from '#web/platform/http.ts'
import {
  askPermission,
  endSubscription,
  oneAtATime,
  type PushPermission,
  readPushPermission,
  subscribeBrowser,
} from '#web/platform/push-subscription.ts'
import { useAct } from '#web/platform/use-act.ts'
import { toast } from '#web/ui/toast.tsx'
import { type Push, pushQuery, removeSubscription, savePreferences, saveSubscription } from './api.ts'
import { pushTexts } from './push-texts.ts'

/**
 * Switches pushes of this browser on and off, and saves the user's preferences.
 * @param onTurnedOn called after the browser was switched on
 */
export function usePush(onTurnedOn?: () => void) {
  const queryClient = useQueryClient()
  const push = useQuery({ ...pushQuery, refetchOnMount: 'always' })
  const [permission, setPermission] = useState<PushPermission>(readPushPermission)
  const keep = (state: Push) => queryClient.setQueryData(pushQuery.queryKey, state)

  const turnOff = async () => {
    // The server first: a browser that it does not know gets no pushes, even if a later step fails.
    const state = await removeSubscription()
    await endSubscription().catch(() => {})
    return state
  }
  const turnOn = async () => {
    // Asked during the press itself, since browsers ignore a later question.
    const granted = await askPermission()
    setPermission(granted)
    if (granted !== 'granted' || push.data === undefined) return null
    const { publicKey } = push.data
    return oneAtATime(async () =>
      saveSubscription(await subscribeBrowser(publicKey)).catch(async (error: unknown) => {
        await endSubscription().catch(() => {})
        throw error
      }),
    )
  }
  const switching = useAct({
    failText: () => pushTexts.failed,
    run: async (isOn: boolean): Promise<Push | null> => {
      const state = isOn ? await turnOn() : await oneAtATime(turnOff)
      if (state !== null) keep(state)
      return state
    },
    onDone: (state) => state?.isOn === true && onTurnedOn?.(),
  })

  /** The switch moves at once, and back after a failure. */
  const save = async (change: Partial<PushPreferences>) => {
    const before = push.data
    if (before === undefined) return
    const wish = { ...before, ...change }
    keep(wish)
    try {
      keep({ ...(await savePreferences(wish)), isOn: before.isOn })
    } catch (error) {
      keep(before)
      toast.error(failureText(error, pushTexts.saveFailed))
    }
  }

  return {
    query: push,
    permission,
    /** Switches this browser; `isSwitching` until it is done. */
    switchTo: switching.start,
    isSwitching: switching.isBusy,
    failure: switching.failure,
    /** Whether the user was asked and has not decided. */
    wasDismissed: switching.answer === null && permission === 'not-asked',
    save,
  }
}
