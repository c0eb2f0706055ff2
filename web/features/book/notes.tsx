import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type NotedEntry, type NotedKind, NOTED_ACTS, NOTED_KINDS } from '#contract/book-pages.ts'
import { dayOf } from '#domain/day.ts'
import { FIRST_DAY } from '#domain/game/calendar.ts'
import { formatCount, formatDateTime, formatSignedAmount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Fold } from '#web/ui/fold.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { Select } from '#web/ui/select.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { type BookStatus, type NotesFilter, notesQuery, ratesQuery, statusQuery } from './api.ts'
import { bookTexts as texts } from './book-texts.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { sourceLabel } from '#domain/market/source-label.ts'

export type NotesProps = {
  readonly filter: NotesFilter
  readonly onChange: (filter: NotesFilter) => void
}

export function Notes({ filter, onChange }: NotesProps) {
  return (
    <Fold title={texts.notes} isOpen={Object.values(filter).some((value) => value !== undefined)}>
      <p className="text-sm text-ink-2">{texts.notesLead}</p>
      <Disputes />
      <Filters filter={filter} onChange={onChange} />
      <List filter={filter} />
    </Fold>
  )
}

function Disputes() {
  const { data } = useQuery(ratesQuery({}))
  if (data === undefined) return null
  const { open, upheld, rejected, oldestOpenAtMs } = data.disputes
  return (
    <p className="text-sm text-ink-2">
      <span>{`${texts.disputes(formatCount(open), formatCount(upheld), formatCount(rejected))} `}</span>
      {oldestOpenAtMs !== null && (
        <span>{texts.oldestOpen(formatCount(daysBetween(oldestOpenAtMs, serverNowMs())))}</span>
      )}
    </p>
  )
}

function Filters({ filter, onChange }: NotesProps) {
  const { kind, act } = filter
  const { data: status } = useQuery(statusQuery)
  // After a restart of the log, the status has only the newest log's start, so every day from FIRST_DAY on is allowed.
  const first = status?.prefix === '/log' ? dayOf(status.completeSinceMs) : FIRST_DAY
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <SegmentedControl<NotedKind | 'all'>
        label={texts.kind}
        isLabelHidden
        columns="repeat(auto-fit, minmax(7.5rem, 1fr))"
        value={kind ?? 'all'}
        onChange={(next) =>
          onChange({ ...filter, kind: next === 'all' ? undefined : next, act: next === 'act' ? act : undefined })
        }
        options={[
          { value: 'all', label: texts.allKinds },
          ...NOTED_KINDS.map((value) => ({ value, label: texts.kinds[value] })),
        ]}
      />
      {kind === 'act' && (
        <Select
          label={texts.act}
          value={act ?? ''}
          onChange={({ target }) => onChange({ ...filter, act: NOTED_ACTS.find((one) => one === target.value) })}
          options={[
            { value: '', label: texts.allActs },
            ...NOTED_ACTS.map((value) => ({ value, label: texts.acts[value] })),
          ]}
        />
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={texts[end]}
            text={filter[end] ?? ''}
            first={first}
            onChange={(day) => onChange({ ...filter, [end]: day || undefined })}
          />
        ))}
      </div>
    </div>
  )
}

function List({ filter }: { readonly filter: NotesFilter }) {
  const query = useInfiniteQuery(notesQuery(filter))
  if (query.data === undefined)
    return <Pending query={query} className="flex flex-col gap-2" shapes={['h-14', 'h-14', 'h-14']} />
  const notes = query.data.pages.flatMap(({ rows }) => rows)
  if (notes.length === 0) return <EmptyState text={texts.noNotes} icon={ScrollText} />
  return (
    <div aria-busy={query.isPlaceholderData} className="flex flex-col gap-2">
      <ul className="divide-y divide-line border-t border-line">
        {notes.map((note) => (
          <Note key={`${note.log}.${note.index}`} note={note} />
        ))}
      </ul>
      <MoreRows
        key={[filter.kind, filter.act, filter.from, filter.to].join(' ')}
        query={query}
        label={texts.moreNotes}
      />
    </div>
  )
}

/** Returns the number of a log from its path: 1 for `/log`, 2 for `/log/2`, and so on. */
const logOf = ({ prefix }: BookStatus): number => Number(prefix.split('/')[2] ?? 1)

function Note({ note }: { readonly note: NotedEntry }) {
  const { data: newestLog = note.log } = useQuery({ ...statusQuery, select: logOf })
  const { title, details, roundId } = wordsOf(note, serverNowMs(), note.log < newestLog)
  const place =
    note.log === 1 ? texts.place(formatCount(note.index)) : texts.placeIn(String(note.log), formatCount(note.index))
  return (
    <li className="flex flex-col gap-0.5 py-2.5 text-sm print:break-inside-avoid">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="text-ink-3 tabular-nums">{formatDateTime(note.atMs)}</span>
      </p>
      <p className="text-ink-2 tabular-nums">{[...details, place].join(' · ')}</p>
      {roundId !== null && (
        <p>
          <RoundLink roundId={roundId} label={`${texts.ofRound} ${place}`} className="text-gold">
            {texts.ofRound}
          </RoundLink>
        </p>
      )}
      <details>
        <summary className="inline-flex min-h-8 cursor-pointer items-center text-xs font-medium text-gold">
          {texts.exactLine}
          <span className="sr-only"> {place}</span>
        </summary>
        <code className="block text-xs break-all text-ink-2">{note.entry}</code>
      </details>
    </li>
  )
}

const DAY_MS = 86_400_000
/** The number of shown characters of an admin's pseudonym: six base64 characters (36 bits) distinguish staff. */
const CODE_LETTERS = 6

const daysBetween = (fromMs: number, toMs: number): number => Math.max(0, Math.floor((toMs - fromMs) / DAY_MS))

/** @param isLogOver whether a restart has ended the log of this entry, so that no answer to a dispute can follow */
function wordsOf(note: NotedEntry, nowMs: number, isLogOver: boolean) {
  const parsed = parseEntry(note.entry)
  const entry = parsed.is === 'entry' ? parsed.entry : null
  if (entry?.k === 'act') {
    const actor = entry.actor === null ? texts.system : texts.actor(entry.actor.slice(0, CODE_LETTERS))
    return {
      title: texts.acts[entry.act],
      details: [
        actor,
        ...(entry.amount === null ? [] : [texts.amount(formatSignedAmount(BigInt(entry.amount)))]),
        ...(entry.bet === null ? [] : [texts.betAt(formatCount(entry.bet))]),
      ],
      roundId: entry.round,
    }
  }
  if (entry?.k === 'announce')
    return { title: texts.acts.announce, details: [texts.announceSealed], roundId: entry.round }
  if (entry?.k === 'feed') {
    const source = sourceLabel(entry.source)
    return {
      title: entry.state === 'closed' ? texts.feedClosed(source) : texts.feedOpen(source),
      details: [texts.feedWhys[entry.why]],
      roundId: null,
    }
  }
  if (entry?.k === 'dispute') {
    const { atMs, answeredAtMs } = note
    const answer =
      entry.state !== 'opened'
        ? []
        : answeredAtMs !== null
          ? [texts.answered(formatCount(daysBetween(atMs, answeredAtMs)))]
          : [isLogOver ? texts.logOver : texts.waiting(formatCount(daysBetween(atMs, nowMs)))]
    return {
      title: texts.disputeStates[entry.state],
      details: [texts.betAt(formatCount(entry.bet)), ...answer],
      roundId: null,
    }
  }
  return { title: texts.unknownNote, details: [], roundId: null }
}
