import { useEffect, useState } from 'react'
import type { PublicConfig } from '#contract/identity.ts'

/** Returns the public configuration (rules §4.4): undefined until it is loaded, null if loading failed. */
export function usePublicConfig(): PublicConfig | null | undefined {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    let isCurrent = true
    // api.ts is imported on demand, because a sign-in with a password does not need it.
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

/** Undefined until the contact is loaded, if loading failed, or if there is no contact (rules §4.4). */
export const useSupportContact = (): string | undefined => usePublicConfig()?.supportContact || undefined
