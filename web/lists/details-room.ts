import { createContext } from 'react'

export type DetailsRoom = {
  /** Where a row's details stand beside the list. */
  readonly place: HTMLElement
  /** Tells the list which row's details stand there. */
  readonly onShow: (rowId: string | undefined) => void
}

/** Null where a list has no room for its rows' details beside it: they open over it. */
export const DetailsRoomContext = createContext<DetailsRoom | null>(null)
