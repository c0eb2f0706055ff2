import { useRef, useState } from 'react'
import { cashRequestTexts } from './cashier-texts.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { toast } from '#web/ui/toast.tsx'
import { fileRequest, type Filing, requestsKey } from './api.ts'

/** Called by the screen, not the form, so that a form reopened after a lost answer sends the same idempotency key. */
export function useFileRequest(userId: string) {
  const [withKey] = useState(createIntentKeys)
  const isFiling = useRef(false)
  const file = async (filing: Filing): Promise<void> => {
    isFiling.current = true
    try {
      await withKey(filing, (key) => fileRequest(userId, filing, key))
      toast.success(cashRequestTexts.filed)
    } finally {
      // The refetch also runs after a failure: the server may have filed the request although its answer was lost.
      isFiling.current = false
      void refresh(requestsKey, sharedKeys.config, sharedKeys.me)
    }
  }
  return { file, isFiling }
}
