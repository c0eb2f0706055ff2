import { createContext, type ReactNode } from 'react'

/**
 * Shows the given dialog above the screen; null removes it. The dialog stays open when the frame around the screen
 * changes, as after an admin's first factor. On players' screens, which have no provider, the function does nothing.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
