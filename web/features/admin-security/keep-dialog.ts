import { createContext, type ReactNode } from 'react'

/**
 * Shows the given dialog above the screen; null removes the dialog. It stays open when the frame around the screen
 * changes, which can happen after an admin's first factor. Players' screens have no provider: there it does nothing.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
