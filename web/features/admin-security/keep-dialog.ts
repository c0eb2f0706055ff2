import { createContext, type ReactNode } from 'react'

/**
 * Shows a dialog above the screen; null removes it. It stays open when the frame around the screen changes, as it can
 * after an admin's first factor. On players' screens, which have no provider, the call does nothing.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
