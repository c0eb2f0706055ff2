import { createContext } from 'react'

export type DetailsRoom = {
  readonly place: HTMLElement
  readonly onShow: (rowId: string | undefined) => void
}

/** Null if the list has no room beside it; the details then open over the list. */
export const DetailsRoomContext = createContext<DetailsRoom | null>(null)
