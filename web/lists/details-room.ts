import { createContext } from 'react'

export type DetailsRoom = {
  /** The place beside the list for a row's details. */
  readonly place: HTMLElement
  /** Called with the id of the row whose details are shown there. */
  readonly onShow: (rowId: string | undefined) => void
}

/** Null where a list has no room for its rows' details beside it: they open over it. */
export const DetailsRoomContext = createContext<DetailsRoom | null>(null)
