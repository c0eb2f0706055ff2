import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** Closes what the address opened: by a step back, as the device's back button does, or else by `otherwise`. */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
