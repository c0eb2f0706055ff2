import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** Closes a form or a detail that the address has opened. The device's back button does the same. */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
