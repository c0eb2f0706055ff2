import { createContext, type ReactNode } from 'react'

/**
 * Shows a dialog that stays when the frame of its screen changes, as it does once an admin has added the first factor;
 * null removes it. Only staff have such dialogs, so nothing holds them on players' screens.
 */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
