import { createContext, type ReactNode } from 'react'

/**
 * A function that shows a dialog above the screen; null removes it. The dialog stays open when the frame around the
 * screen changes, as after an admin's first factor. On players' screens, which have no provider, it does nothing.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
