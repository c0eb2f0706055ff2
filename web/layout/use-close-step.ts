import { useCanGoBack, useRouter } from '@tanstack/react-router'

/**
 * Closes what an address has opened (a form, a detail): the step that opened it is taken back, so that the device's own
 * back button does the same; without such a step `otherwise` writes the address without it.
 */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
