import { useEffect, useState } from 'react'

/** Undefined while unknown (rules §4). */
export function useSupportContact(): string | undefined {
  const [contact, setContact] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    // Loaded on demand: signing in does not need it.
    import('./api.ts')
      .then((api) => api.loadPublicConfig())
      .then(
        (config) => isCurrent && setContact(config.supportContact || undefined),
        // The screen then shows a general sentence.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [])
  return contact
}
