import { createContext, type ReactNode } from 'react'

/**
 * Shows a dialog that stays open when the frame around the screen changes, as it does after an admin has added the first factor; null
 * removes it. Without a provider, as on players' screens, the call does nothing: only staff have such dialogs.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
