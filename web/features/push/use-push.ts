import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PushPreferences } from '#domain/push/push.ts'
import { clientErrorCodes, refusalOf } from '#web/platform/http.ts'
import {
  askNoticePermission,
  endSubscription,
  oneAtATime,
  readPushPermission,
  subscribeBrowser,
} from '#web/platform/push-subscription.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useAct } from '#web/ui/use-act.ts'
import { type Push, pushQuery, removeSubscription, savePreferences, saveSubscription } from './api.ts'
import { pushTexts } from './push-texts.ts'

export function usePush(onTurnedOn?: () => void) {
  const queryClient = useQueryClient()
  const query = useQuery({ ...pushQuery, refetchOnMount: 'always' })
  const [permission, setPermission] = useState(readPushPermission)

  const turnOff = async () => {
    // The server's subscription ends first, so that no push is sent even if the browser's subscription can't be ended.
    const state = await removeSubscription()
    await endSubscription().catch(() => {})
    return state
  }
  const turnOn = async () => {
    // The permission is requested first, while the click is handled, since some browsers ignore a later request.
    const granted = await askNoticePermission()
    setPermission(granted)
    if (granted !== 'granted' || query.data === undefined) return null
    const { publicKey } = query.data
    return oneAtATime(async () =>
      saveSubscription(await subscribeBrowser(publicKey)).catch(async (error: unknown) => {
        await endSubscription().catch(() => {})
        throw error
      }),
    )
  }
  /** Reads the state again after a failure: a change whose answer was lost may be done (rules §3.5). */
  const readAgain = () => {
    void query.refetch()
    return false
  }
  const switching = useAct({
    failText: (error, isOn: boolean) =>
      // Not of switching on: after a lost answer `turnOn` ends the browser's subscription, so no push arrives.
      !isOn && refusalOf(error)?.code === clientErrorCodes.unsure ? commonTexts.unsure : pushTexts.failed(isOn),
    run: async (isOn: boolean): Promise<Push | null> => {
      const state = isOn ? await turnOn() : await oneAtATime(turnOff)
      if (state !== null) queryClient.setQueryData(pushQuery.queryKey, state)
      return state
    },
    onDone: (state) => state?.isOn === true && onTurnedOn?.(),
    onFailure: readAgain,
  })

  const saving = useAct({
    failText: pushTexts.saveFailed,
    isToasted: true,
    run: async (wish: PushPreferences) => {
      const saved = await savePreferences(wish)
      queryClient.setQueryData(pushQuery.queryKey, (now) => now && { ...saved, isOn: now.isOn })
    },
    onFailure: readAgain,
  })

  const push = query.data && { ...query.data, ...saving.wish }
  return {
    query,
    push,
    permission,
    switching,
    /** True if the user closed the browser's request for permission without an answer. */
    wasDismissed: switching.answer === null && permission === 'not-asked',
    save: (change: Partial<PushPreferences>) => push !== undefined && saving.start({ ...push, ...change }),
    isSaving: saving.isBusy,
  }
}
