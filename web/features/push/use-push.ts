import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PushPreferences } from '#domain/push/push.ts'
import { failureText } from '#web/platform/http.ts'
import {
  askPermission,
  endSubscription,
  type PushPermission,
  readPushPermission,
  subscribeBrowser,
} from '#web/platform/push-subscription.ts'
import { toast } from '#web/ui/toast.tsx'
import { type Push, pushQuery, removeSubscription, savePreferences, saveSubscription } from './api.ts'
import { pushTexts } from './push-texts.ts'

/** Switches pushes of this browser on and off, and saves the user's preferences. */
export function usePush() {
  const queryClient = useQueryClient()
  const push = useQuery({ ...pushQuery, refetchOnMount: 'always' })
  const [permission, setPermission] = useState<PushPermission>(readPushPermission)
  const keep = (state: Push) => queryClient.setQueryData(pushQuery.queryKey, state)

  const switching = useMutation({
    mutationFn: async (isOn: boolean): Promise<Push | null> => {
      if (!isOn) {
        // The server first: a browser that it does not know gets no pushes, whatever becomes of the rest.
        const state = await removeSubscription()
        await endSubscription().catch(() => {})
        return state
      }
      // Asked in the press itself: browsers ignore a later question.
      const granted = await askPermission()
      setPermission(granted)
      if (granted !== 'granted' || push.data === undefined) return null
      const browser = await subscribeBrowser(push.data.publicKey)
      return saveSubscription(browser).catch(async (error: unknown) => {
        await endSubscription().catch(() => {})
        throw error
      })
    },
    onSuccess: (state) => {
      if (state !== null) keep(state)
    },
  })

  const saving = useMutation({
    mutationFn: savePreferences,
    // The switch moves at once, and back after a failure.
    onMutate: (wish) => {
      const before = queryClient.getQueryData(pushQuery.queryKey)
      if (before !== undefined) keep({ ...before, ...wish })
      return before
    },
    onSuccess: (state, _wish, before) => keep({ ...state, isOn: before?.isOn ?? false }),
    onError: (error, _wish, before) => {
      if (before !== undefined) keep(before)
      toast.error(failureText(error, pushTexts.saveFailed))
    },
  })

  return {
    query: push,
    permission,
    /** Switches this browser; `isSwitching` until it is done. */
    switchTo: switching.mutateAsync,
    isSwitching: switching.isPending,
    hasFailed: switching.isError,
    /** Whether the user was asked and has not decided. */
    wasDismissed: switching.data === null && permission === 'not-asked',
    save: (change: Partial<PushPreferences>) => {
      if (push.data !== undefined) saving.mutate({ ...push.data, ...change })
    },
  }
}
