import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** Returns a function that closes a sheet that an address opened: by a step back if possible, else by `otherwise`. */
export function useCloseStep(otherwise: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else otherwise()
  }
}
