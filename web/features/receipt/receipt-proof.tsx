import { Link } from '@tanstack/react-router'
import type { Receipt } from '#contract/book.ts'
import { formatCount } from '#web/platform/formats.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { FactList } from '#web/ui/fact-list.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Printer } from '#web/ui/icons/printer.tsx'
import { Share2 } from '#web/ui/icons/share-2.tsx'
import { toast } from '#web/ui/toast.tsx'
import { receiptTexts as texts } from './receipt-texts.ts'
import type { ReceiptView } from './receipt-view.ts'

export function Ways({ roundId }: { readonly roundId: string }) {
  const share = async () => {
    const url = globalThis.location.href
    // If the user closes the browser's share dialog, there is nothing to report.
    if (typeof navigator.share === 'function') return navigator.share({ url }).catch(() => undefined)
    try {
      // Outside a secure context there is no clipboard, so this call throws.
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
    <Fold title={texts.why}>
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
    </Fold>
  )
}

const kinds = ['round', 'announce', 'result', 'closed'] as const

function Places({ view }: { readonly view: ReceiptView }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">{texts.places}</h3>
      <FactList
        facts={kinds
          .filter((kind) => view[kind] !== null || kind !== 'announce')
          .map((kind) => [texts.placeOf[kind], placeText(view, kind)] as const)}
        className="grid-cols-[1fr_auto]! gap-x-4!"
        valueClassName="text-right font-medium"
      />
    </div>
  )
}

function placeText(view: ReceiptView, kind: (typeof kinds)[number]): string {
  const placed = view[kind]
  if (placed !== null) return `#${formatCount(placed.index)}`
  return kind === 'result' && view.closed?.entry.deleted === true ? texts.none : texts.notYet
}

type TechnicalProps = {
  readonly receipt: Receipt
  readonly view: ReceiptView | null
  readonly roundId: string
}

/** Shows the entries' places in the log and their exact text, for readers who check the entries on their own. */
export function Technical({ receipt, view, roundId }: TechnicalProps) {
  const lines = kinds.flatMap((kind) => receipt[kind] ?? [])
  return (
    <Fold title={texts.technical}>
      <div className="flex flex-col gap-3 text-sm">
        {view !== null && <Places view={view} />}
        <p className="text-ink-2">{texts.technicalLead}</p>
        {lines.map(({ index, entry }) => (
          <Raw key={index} title={`#${formatCount(index)}`} text={entry} />
        ))}
        <Raw title={texts.note} text={receipt.note} />
        <a href={`/api/v1/rounds/${roundId}/receipt`} className="font-medium text-gold underline underline-offset-4">
          {texts.forPrograms}
        </a>
      </div>
    </Fold>
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
