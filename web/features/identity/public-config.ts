import { useEffect, useState } from 'react'
import type { PublicConfig } from '#contract/identity.ts'

/** Returns the public configuration: undefined until it is loaded, null if loading failed (rules §4). */
export function usePublicConfig(): PublicConfig | null | undefined {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    let isCurrent = true
    // Imported on demand, because signing in does not need this code.
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

/** Returns the contact for support; undefined while it is unknown (rules §4). */
export const useSupportContact = (): string | undefined => usePublicConfig()?.supportContact || undefined
