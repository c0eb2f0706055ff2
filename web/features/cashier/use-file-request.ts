import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cashRequestTexts } from './cashier-texts.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { toast } from '#web/ui/toast.tsx'
import { fileRequest, type Filing, requestsKey } from './api.ts'

/**
 * Files requests. Its state lives as long as the screen, not the form: after a lost answer, a reopened form reuses the
 * request's idempotency key.
 */
export function useFileRequest(userId: string) {
  const queryClient = useQueryClient()
  const [withKey] = useState(createIntentKeys)
  // Refetches the balance and the requests after success (spec §7) and after a failure, since a request whose answer
  // was lost may have been filed.
  const refresh = () =>
    Promise.all(
      [requestsKey, sharedKeys.config, sharedKeys.me].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
  return useMutation({
    mutationFn: (filing: Filing) => withKey(filing, (key) => fileRequest(userId, filing, key)),
    onSuccess: () => toast.success(cashRequestTexts.filed),
    onSettled: () => void refresh(),
  })
}
