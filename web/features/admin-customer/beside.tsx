import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PanelPart, panelLinkClass } from '#web/parts/panel-part.tsx'
import { ShortNotes } from '#web/parts/short-notes.tsx'
import { FactList } from '#web/ui/fact-list.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { limitsQuery, notesQuery } from './api.ts'
import { limitFacts } from './parts.tsx'

export function LimitsBeside({ userId }: { readonly userId: string }) {
  const query = useQuery(limitsQuery(userId))
  return (
    <PanelPart title={texts.limits}>
      {query.data === undefined ? (
        <Pending query={query} shapes={['h-20']} />
      ) : (
        <FactList facts={limitFacts(query.data)} className="text-xs" valueClassName="text-right" />
      )}
    </PanelPart>
  )
}

const notesShown = 3

/** The newest staff notes about a customer, beside the conversation, with a link to all notes and to the form. */
export function NotesBeside({ userId }: { readonly userId: string }) {
  const query = useInfiniteQuery(notesQuery(userId))
  const notes = query.data?.pages[0]?.rows.slice(0, notesShown)
  return (
    <PanelPart title={texts.notes}>
      {notes === undefined ? (
        <Pending query={query} shapes={['h-10']} />
      ) : (
        <>
          {notes.length === 0 ? <p className="text-ink-2">{texts.noNotes}</p> : <ShortNotes notes={notes} />}
          <Link
            to="/admin/user/$id"
            params={{ id: userId }}
            search={{ part: 'notes' }}
            className={`${panelLinkClass} mt-1 inline-block text-xs`}
          >
            {texts.toNotes}
          </Link>
        </>
      )}
    </PanelPart>
  )
}
