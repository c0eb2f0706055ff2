import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** Returns a function that steps back, as the device's back button does, from what the address opened, or calls `otherwise`. */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
