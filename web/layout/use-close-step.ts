import { useCanGoBack, useRouter } from '@tanstack/react-router'

/**
 * Returns a function that closes a sheet that a URL opened: the function steps back in the history or, if no step is
 * possible, calls `otherwise`.
 */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
