import { useEffect, useState } from 'react'

/** The support contact (rules §4). Undefined while unknown. */
export function useSupportContact(): string | undefined {
  const [contact, setContact] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    // Loaded on demand: signing in does not need it.
    import('./api.ts')
      .then((api) => api.loadPublicConfig())
      .then(
        (config) => isCurrent && setContact(config.supportContact || undefined),
        // Without a contact the screen shows a general sentence.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [])
  return contact
}
