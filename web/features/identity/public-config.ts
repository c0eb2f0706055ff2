import { useEffect, useState } from 'react'
import type { PublicConfig } from '#contract/identity.ts'
import { loadPublicConfig } from './api.ts'

/** Undefined while unknown, null when it could not be loaded (rules §4). */
export function usePublicConfig(): PublicConfig | null | undefined {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    let isCurrent = true
    loadPublicConfig().then(
      (loaded) => isCurrent && setConfig(loaded),
      () => isCurrent && setConfig(null),
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return config
}
