import { Link } from '@tanstack/react-router'
import { Printer, Share2 } from 'lucide-react'
import { Fragment } from 'react'
import type { Receipt } from '#contract/book.ts'
import { formatCount } from '#web/platform/formats.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.tsx'
import { receiptTexts as texts } from './receipt-texts.ts'
import type { ReceiptView } from './receipt-view.ts'

/* The lower half of a receipt: how somebody else checks it, and where its lines stand in the log. */

/** To the checker, to somebody else, to paper. */
export function Ways({ roundId }: { readonly roundId: string }) {
  const share = async () => {
    const url = globalThis.location.href
    // A person who closes the browser's own dialog has decided; nothing is said then.
    if (typeof navigator.share === 'function') return navigator.share({ url }).catch(() => undefined)
    try {
      // There is no clipboard on an address without https.
      await navigator.clipboard.writeText(url)
      toast.success(texts.copied)
    } catch {
      toast.error(texts.notCopied)
    }
  }
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <Link to="/kiem-chung" search={{ vong: roundId }} className={buttonClass({ isWide: true })}>
        {texts.check}
      </Link>
      <p className="text-center text-xs text-ink-3">{texts.checkNote}</p>
      <div className="flex gap-2">
        <Button variant="outline" className="flex-1" onClick={() => void share()}>
          <Share2 aria-hidden size={16} strokeWidth={1.8} />
          {texts.share}
        </Button>
        <Button variant="outline" className="flex-1" onClick={() => globalThis.print()}>
          <Printer aria-hidden size={16} strokeWidth={1.8} />
          {texts.print}
        </Button>
      </div>
    </div>
  )
}

export function Why() {
  return (
    <Card aria-labelledby="receipt-why" className="flex flex-col gap-2 print:shadow-none">
      <h2 id="receipt-why" className="font-semibold text-balance">
        {texts.why}
      </h2>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-ink-2">
        {texts.whyLines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Link
        to="/so-mo"
        className="flex min-h-target items-center self-start text-sm font-medium text-gold underline-offset-4 hover:underline print:hidden"
      >
        {texts.aboutBook}
      </Link>
    </Card>
  )
}

const kinds = ['round', 'announce', 'result', 'closed'] as const

export function Places({ view }: { readonly view: ReceiptView }) {
  return (
    <Card aria-labelledby="receipt-places" className="flex flex-col gap-2 print:shadow-none">
      <h2 id="receipt-places" className="font-semibold">
        {texts.places}
      </h2>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
        {kinds
          .filter((kind) => view[kind] !== null || kind !== 'announce')
          .map((kind) => (
            <Fragment key={kind}>
              <dt className="text-ink-3">{texts.placeOf[kind]}</dt>
              <dd className="text-right font-medium tabular-nums">{placeText(view, kind)}</dd>
            </Fragment>
          ))}
      </dl>
    </Card>
  )
}

function placeText(view: ReceiptView, kind: (typeof kinds)[number]): string {
  const placed = view[kind]
  if (placed !== null) return `#${formatCount(placed.index)}`
  return kind === 'result' && view.closed?.entry.deleted === true ? texts.none : texts.notYet
}

/** The exact lines, for whoever wants to check them without us. */
export function Technical({ receipt, roundId }: { readonly receipt: Receipt; readonly roundId: string }) {
  const lines = kinds.flatMap((kind) => receipt[kind] ?? [])
  return (
    <details className="rounded-m border border-line bg-surface px-4 py-1 text-sm">
      <summary className="flex min-h-target cursor-pointer items-center font-medium">{texts.technical}</summary>
      <div className="flex flex-col gap-3 pb-3">
        <p className="text-ink-2">{texts.technicalLead}</p>
        {lines.map(({ index, entry }) => (
          <Raw key={index} title={`#${formatCount(index)}`} text={entry} />
        ))}
        <Raw title={texts.note} text={receipt.note} />
        <a href={`/api/v1/rounds/${roundId}/receipt`} className="font-medium text-gold underline underline-offset-4">
          {texts.forPrograms}
        </a>
      </div>
    </details>
  )
}

function Raw({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <p className="text-xs text-ink-3 tabular-nums">{title}</p>
      <pre className="rounded-s bg-surface-2 p-2 text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</pre>
    </div>
  )
}
