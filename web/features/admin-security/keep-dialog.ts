import { createContext, type ReactNode } from 'react'

/** Shows a dialog that stays open when the frame around the screen changes; null removes the dialog. */
export const KeepDialog = createContext<(dialog: ReactNode) => void>(() => {})
