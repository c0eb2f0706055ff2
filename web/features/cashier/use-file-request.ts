import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cashRequestTexts } from './cashier-texts.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { toast } from '#web/ui/toast.tsx'
import { fileRequest, type Filing, requestsKey } from './api.ts'

/**
 * Files requests. It lives as long as the screen and not as the form, so that a request whose answer got lost keeps its
 * key when the form is opened anew.
 */
export function useFileRequest(userId: string) {
  const queryClient = useQueryClient()
  const [keys] = useState(createIntentKeys)
  // On success the balance and the requests are asked for again (spec §7); after a lost answer too, since it may be there.
  const refresh = () =>
    Promise.all(
      [requestsKey, sharedKeys.config, sharedKeys.me].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
  return useMutation({
    mutationFn: (filing: Filing) => {
      const { kind, amountMinor, words, bankId } = filing
      const intent = JSON.stringify([kind, String(amountMinor), words, bankId])
      return fileRequest(userId, filing, keys.keyFor(intent))
    },
    onSuccess: () => {
      keys.settle()
      toast.success(cashRequestTexts.filed)
      void refresh()
    },
    onError: (error) => {
      keys.settle(error)
      void refresh()
    },
  })
}
