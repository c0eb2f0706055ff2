import { useState } from 'react'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { readSelectedGameType, writeSelectedGameType } from '#web/platform/storage.ts'

/** Returns the round type that was chosen last on this device (spec §4.5), or else the shortest type. */
export function readSelectedType(): RoundType {
  const stored = readSelectedGameType()
  return ROUND_TYPES.find((type) => type === stored) ?? ROUND_TYPES[0]
}

export function useSelectedType(): [RoundType, (type: RoundType) => void] {
  const [type, setType] = useState(readSelectedType)
  const select = (next: RoundType) => {
    writeSelectedGameType(next)
    setType(next)
  }
  return [type, select]
}
