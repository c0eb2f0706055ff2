import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { type BookStatus, isOld, statusQuery } from './api.ts'
import { bookTexts as texts } from './book-texts.ts'
import { Folded } from './folded.tsx'

export function NewestNote() {
  const query = useQuery(statusQuery)
  return (
    <Fold title={texts.newest}>
      {query.data !== undefined ? (
        <Status status={query.data} />
      ) : (
        <Pending query={query} className="flex flex-col gap-2" shapes={['h-8 w-1/2', 'h-5 w-4/5', 'h-5 w-3/5']} />
      )}
    </Fold>
  )
}

function Status({ status }: { readonly status: BookStatus }) {
  const { size, noteAtMs, completeSinceMs, isSealing, why, storageBytes } = status
  return (
    <>
      {!isSealing && (
        <Banner tone="danger">
          {why === null ? texts.notSigning : `${texts.notSigning} ${texts.notSigningWhy(texts.stopWhys[why])}`}
        </Banner>
      )}
      {isSealing && isOld(status) && <Banner tone="warn">{texts.lateNote}</Banner>}
      {noteAtMs === null ? (
        <p className="text-sm text-ink-2">{texts.noNote}</p>
      ) : (
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-xl font-semibold tracking-tight tabular-nums">{texts.lines(formatCount(size))}</span>
          <span className="text-sm text-ink-2">
            {texts.noteAge} <AgeText atMs={noteAtMs} />
          </span>
        </p>
      )}
      <p className="text-sm text-ink-2">{texts.completeSince(formatDateTime(completeSinceMs))}</p>
      <p className="text-sm text-ink-2">{status.isWitnessed ? texts.witnessed : texts.noWitness}</p>
      <p className="text-sm text-ink-2">
        {texts.storageIs(sizeText(storageBytes))} {texts.storageGrows}
      </p>
      <Folded title={texts.technical}>
        <Fact name={texts.origin}>{status.origin}</Fact>
        <Fact name={texts.vkey}>{status.vkey}</Fact>
        <p className="flex flex-wrap gap-x-4">
          {(['checkpoint', 'key', 'logs'] as const).map((name) => {
            const path = name === 'logs' ? '/log/logs' : `${status.prefix}/${name}`
            return (
              <a
                key={name}
                href={path}
                target="_blank"
                rel="noreferrer"
                className="flex min-h-target items-center font-medium text-gold underline-offset-4 hover:underline"
              >
                {path}
              </a>
            )
          })}
        </p>
      </Folded>
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <p className="flex flex-col">
      <span className="text-xs text-ink-3">{name}</span>
      <code className="text-xs break-all">{children}</code>
    </p>
  )
}

const KB = 1_000
const sizeText = (bytes: number): string => {
  const tenths = Math.round(bytes / ((KB * KB) / 10))
  return `${formatCount(Math.floor(tenths / 10))}.${tenths % 10} MB`
}
