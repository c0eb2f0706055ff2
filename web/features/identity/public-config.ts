import { useEffect, useState } from 'react'
import type { PublicConfig } from '#contract/identity.ts'

/** Undefined while unknown, null when it could not be loaded (rules §4). */
export function usePublicConfig(): PublicConfig | null | undefined {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    let isCurrent = true
    // Loaded on demand: signing in does not need it.
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

/** Undefined while unknown (rules §4). */
export const useSupportContact = (): string | undefined => usePublicConfig()?.supportContact || undefined
