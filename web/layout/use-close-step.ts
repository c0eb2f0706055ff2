import { useCanGoBack, useRouter } from '@tanstack/react-router'

/**
 * Closes a form or a detail that the address has opened, by going back one step, so that the device's back button does
 * the same. Without such a step `otherwise` navigates to the address without it.
 */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
