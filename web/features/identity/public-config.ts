import { useEffect, useState } from 'react'
import type { PublicConfig } from '#contract/identity.ts'

/** Returns the public configuration: undefined until it is loaded, null if loading failed (rules §4). */
export function usePublicConfig(): PublicConfig | null | undefined {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    let isCurrent = true
    // This code is imported on demand, because a sign-in with a password does not need it.
    import('./api.ts')
      .then(({ loadPublicConfig }) => loadPublicConfig())
      .then(
        (loaded) => isCurrent && setConfig(loaded),
        () => isCurrent && setConfig(null),
      )
    return () => {
      isCurrent = false
    }
  }, [])
  return config
}

/** Returns the support contact; undefined until it is loaded, if loading failed, or if there is none (rules §4). */
export const useSupportContact = (): string | undefined => usePublicConfig()?.supportContact || undefined
