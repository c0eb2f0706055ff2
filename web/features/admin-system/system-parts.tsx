import { useQuery } from '@tanstack/react-query'
import { type AlarmWhy } from '#contract/attention.ts'
import { SYSTEM_PAGES, SYSTEM_PARTS, type SystemFacts } from '#contract/system.ts'
import { formatAge, formatCount, formatDateMinute } from '#web/platform/formats.ts'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { CircleAlert } from '#web/ui/icons/circle-alert.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.tsx'
import { CircleDashed } from '#web/ui/icons/circle-dashed.tsx'
import { systemTexts as texts } from './admin-system-texts.ts'
import { type System, systemQuery } from './api.ts'

const refetchMs = 10_000

type Part = System['parts'][number]
type AlarmText = (part: 'ledger' | 'feed' | 'book', why: AlarmWhy) => string

const signs = {
  ok: { icon: CircleCheck, colour: 'text-up' },
  wrong: { icon: CircleAlert, colour: 'text-down' },
  skipped: { icon: CircleDashed, colour: 'text-ink-3' },
} as const
const order = { wrong: 0, skipped: 1, ok: 2 } as const

/** The parts of the installation, faulty parts first, and below them the recent failures (rules §6.15). */
export function SystemParts({ alarmText }: { readonly alarmText: AlarmText }) {
  const query = useQuery({ ...systemQuery, refetchInterval: refetchMs })
  const { data } = query
  if (data === undefined) return <Pending query={query} fallback={texts.loadFailed} shapes={['h-96']} />
  const parts = data.parts.toSorted(
    (a, b) => order[a.is] - order[b.is] || SYSTEM_PARTS.indexOf(a.part) - SYSTEM_PARTS.indexOf(b.part),
  )
  return (
    <>
      <TitledCard title={texts.health} gap="gap-1">
        <p role="status" className="text-sm text-ink-2">
          {texts.summary(parts.filter(({ is }) => is === 'wrong').length)}
        </p>
        <ul className="flex flex-col divide-y divide-line">
          {parts.map((part) => (
            <Row key={part.part} part={part} nowMs={data.serverTimeMs} alarmText={alarmText} />
          ))}
        </ul>
        <p className="text-xs text-ink-3">{texts.beyond}</p>
      </TitledCard>
      <Failures failures={data.failures} nowMs={data.serverTimeMs} />
    </>
  )
}

type RowProps = { readonly part: Part; readonly nowMs: number; readonly alarmText: AlarmText }

function Row({ part: { part, is, why, facts }, nowMs, alarmText }: RowProps) {
  const { icon: Icon, colour } = signs[is]
  const { name, todo } = texts.parts[part]
  const found = factsOf(part, facts, nowMs)
  const isToDo = is !== 'ok' || why !== null
  const because =
    why === null
      ? null
      : why in texts.whys
        ? texts.whys[why as keyof typeof texts.whys]
        : alarmText(part as 'feed', why as AlarmWhy)
  return (
    <li className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
          <Icon aria-hidden size={18} strokeWidth={1.8} className={`shrink-0 ${colour}`} />
          <span>{name}</span>
          <span className={`text-xs ${colour}`}>{texts.states[is]}</span>
        </h3>
        <div className="flex flex-col gap-1 pt-1 pl-6.5 text-sm text-ink-2">
          {because !== null && <p>{because}</p>}
          {isToDo && (
            <>
              <p>{todo}</p>
              <p className="text-xs text-ink-3">
                <span>{`${texts.guide}: `}</span>
                <code translate="no" className="[overflow-wrap:anywhere]">
                  {SYSTEM_PAGES[part]}
                </code>
              </p>
            </>
          )}
        </div>
      </div>
      {found.length > 0 && <FactList facts={found} className="content-start pl-6.5 text-sm md:pl-0 md:[&>dt]:w-28" />}
    </li>
  )
}

const bytes = (size: number): string =>
  Math.abs(size) < 1e9 ? `${formatCount(Math.round(size / 1e6))} MB` : `${(size / 1e9).toFixed(1)} GB`
const instant = (nowMs: number) => (atMs: number) => `${formatAge(nowMs - atMs)} (${formatDateMinute(atMs)})`
const milliseconds = (ms: number) => `${ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))} ms`

function factsOf(part: Part['part'], found: SystemFacts, nowMs: number): Facts {
  const write: { readonly [Name in keyof SystemFacts]-?: (value: NonNullable<SystemFacts[Name]>) => string } = {
    ...{ version: String, newer: String, source: String },
    ...{ atMs: instant(nowMs), failedAtMs: instant(nowMs) },
    ...{ sizeBytes: bytes, freeBytes: bytes, allBytes: bytes },
    growthBytes: (growth) => (growth <= 0 ? texts.noGrowth : bytes(growth)),
    daysLeft: (days) => texts.days(formatCount(days)),
    ...{ entries: formatCount, tookMs: milliseconds, offMs: milliseconds, sessions: formatCount, sockets: formatCount },
  }
  const names = Object.keys(texts.facts) as Array<keyof SystemFacts>
  const known = names.flatMap((name) => {
    const value = found[name]
    return value === undefined ? [] : [[texts.facts[name], write[name](value as never)] as const]
  })
  const isGrowthUnknown = part === 'disk' && found.freeBytes !== undefined && found.growthBytes === undefined
  return isGrowthUnknown ? [...known, [texts.facts.growthBytes, texts.growthUnknown]] : known
}

function Failures({ failures, nowMs }: { readonly failures: System['failures']; readonly nowMs: number }) {
  return (
    <TitledCard title={texts.failures} gap="gap-1">
      <p className="text-sm text-ink-2">{failures.length === 0 ? texts.noFailures : texts.failuresWhy}</p>
      {failures.length > 0 && (
        <ul className="flex flex-col divide-y divide-line text-sm">
          {failures.map(({ text, code, count, atMs }) => (
            <li key={`${text} ${code ?? ''}`} className="py-2">
              <p lang="en" translate="no" className="[overflow-wrap:anywhere]">
                {text}
                {code !== null && <code className="text-ink-3">{` ${code}`}</code>}
              </p>
              <p className="text-xs text-ink-3 tabular-nums">
                {texts.times(formatCount(count))} · {instant(nowMs)(atMs)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </TitledCard>
  )
}
