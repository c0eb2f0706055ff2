import { DeskBar } from './desk-bar.tsx'
import { DeskHelp } from './desk-help.tsx'
import { DutyRow } from './duty-row.tsx'
import { FollowColleagues, FoundElsewhere, ListFilter, NamedConversation, noneFiltered } from './found-elsewhere.tsx'
import { HandOver } from './hand-over.tsx'
import { NoteMode, NotesBetween } from './notes.tsx'
import { loadDesk } from './staff-api.ts'

/** Parts that the desk shows once its list is drawn: fetched as one file. */
export const deskParts = {
  ...{
    DeskBar,
    DeskHelp,
    DutyRow,
    FollowColleagues,
    FoundElsewhere,
    HandOver,
    NamedConversation,
    NoteMode,
    NotesBetween,
  },
  ...{ ListFilter, loadDesk, noneFiltered },
} as const
