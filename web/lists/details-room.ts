import { createContext } from 'react'

export type DetailsRoom = {
  readonly place: HTMLElement
  readonly onShow: (rowId: string | undefined) => void
}

/** The place beside the list for a row's details. Null if there is no room: the details then open over the list. */
export const DetailsRoomContext = createContext<DetailsRoom | null>(null)
