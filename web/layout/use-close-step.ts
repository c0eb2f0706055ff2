import { useCanGoBack, useRouter } from '@tanstack/react-router'

/**
 * Returns a function that closes what the address opened: by a step back, as the device's back button does, or by
 * `otherwise` if there is no step to take.
 */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
