import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** Returns a function that closes a sheet that a URL opened. It goes back in the history, or else calls `otherwise`. */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
