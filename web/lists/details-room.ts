import { createContext } from 'react'

export type DetailsRoom = {
  readonly place: HTMLElement
  readonly onShow: (rowId: string | undefined) => void
}

/** Null where a list has no room for details beside it: they open over it. */
export const DetailsRoomContext = createContext<DetailsRoom | null>(null)
