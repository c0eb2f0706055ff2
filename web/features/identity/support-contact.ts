import { useEffect, useState } from 'react'

/** Whom to ask for help (rules §4). Undefined while unknown. */
export function useSupportContact(): string | undefined {
  const [contact, setContact] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    // Loaded when it is asked for: signing in does without.
    import('./api.ts')
      .then((api) => api.loadPublicConfig())
      .then(
        (config) => isCurrent && setContact(config.supportContact || undefined),
        // Without it the screen says whom to ask in general.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [])
  return contact
}
