import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Form, showAndFocusErrors } from '#web/ui/field.tsx'
import { FileCheck2 } from '#web/ui/icons/file-check-2.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import type { CheckRequest } from './check-messages.ts'
import { CheckOutcome } from './check-outcome.tsx'
import { checkTexts as texts } from './check-texts.ts'
import { useCheck } from './use-check.ts'

type Kind = CheckRequest['kind']

const KINDS: readonly Kind[] = ['round', 'rounds', 'proof']
const COUNTS = ['50', '200', '1000', '5000'] as const
/** A proof holds a note and a few dozen hashes, so a larger file is no proof. */
const PROOF_MAX_BYTES = 100_000
/** Every proof begins with this text. The check examines the rest. */
const PROOF_BEGINS = 'c2sp.org/tlog-proof@'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i

/** Finds the id of a round in a text, which may be the id itself or the address of a receipt. */
const roundIdIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null

function useAsked(round: string) {
  const [kind, setKind] = useState<Kind>(round === '' ? 'rounds' : 'round')
  const [roundText, setRoundText] = useState(round)
  const [count, setCount] = useState<(typeof COUNTS)[number]>('200')
  const [proof, setProof] = useState<{ readonly name: string; readonly text: string } | null>(null)
  const [error, setError] = useState<string>()
  return {
    kind,
    setKind: (next: Kind) => {
      setKind(next)
      setError(undefined)
    },
    roundText,
    setRoundText,
    count,
    setCount,
    proof,
    takeFile: async (file: File | undefined) => {
      if (file === undefined) return
      // If this file is refused, the file that was chosen before stays.
      if (file.size > PROOF_MAX_BYTES) return setError(texts.proofTooLarge)
      // A file that can't be read, for example because it was deleted meanwhile, counts as a wrong file.
      const text = await file.text().catch(() => '')
      if (!text.startsWith(PROOF_BEGINS)) return setError(texts.proofWrong)
      setProof({ name: file.name, text })
      setError(undefined)
    },
    error,
    setError,
    /** Returns the request, or a sentence that says what is missing or wrong. */
    read: (): CheckRequest | string => {
      if (kind === 'rounds') return { kind, count: Number(count) }
      if (kind === 'proof') return proof === null ? texts.proofMissing : { kind, text: proof.text }
      const id = roundIdIn(roundText)
      return id === null ? texts.roundWrong : { kind, round: id }
    },
  }
}

/** @param round the round id in the page's address, which the field contains at first */
export function Checker({ round = '' }: { readonly round: string | undefined }) {
  const asked = useAsked(round)
  const form = useRef<HTMLFormElement>(null)
  const { state, isRunning, start, stop } = useCheck()
  const submit = () => {
    const request = asked.read()
    if (typeof request === 'string') return showAndFocusErrors(form, () => asked.setError(request))
    asked.setError(undefined)
    start(request)
  }
  return (
    <>
      <Card className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">{texts.lead}</p>
        <Form ref={form} onSubmit={submit} className="flex flex-col gap-4" noValidate>
          <SegmentedControl
            label={texts.what}
            columns="repeat(auto-fit, minmax(4.9rem, 1fr))"
            value={asked.kind}
            onChange={asked.setKind}
            isDisabled={isRunning}
            options={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
          />
          <AskedField asked={asked} isDisabled={isRunning} />
          {isRunning ? (
            <Button variant="outline" isWide onClick={stop}>
              {texts.stop}
            </Button>
          ) : (
            <Button type="submit" isWide>
              {state === null ? texts.start : texts.again}
            </Button>
          )}
        </Form>
      </Card>
      {state !== null && <CheckOutcome state={state} />}
      <p className="text-sm text-ink-2">{texts.trust}</p>
      <Link to="/so-mo" className={buttonClass({ variant: 'ghost' })}>
        {texts.toBook}
      </Link>
    </>
  )
}

type AskedFieldProps = { readonly asked: ReturnType<typeof useAsked>; readonly isDisabled: boolean }

function AskedField({ asked, isDisabled }: AskedFieldProps) {
  if (asked.kind === 'round')
    return (
      <TextInput
        label={texts.round}
        hint={texts.roundHint}
        error={asked.error}
        value={asked.roundText}
        maxLength={300}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={isDisabled}
        onChange={({ target }) => asked.setRoundText(target.value)}
      />
    )
  if (asked.kind === 'rounds')
    return (
      <SegmentedControl
        label={texts.count}
        columns="repeat(auto-fit, minmax(3.4rem, 1fr))"
        value={asked.count}
        onChange={asked.setCount}
        isDisabled={isDisabled}
        options={COUNTS.map((value) => ({ value, label: formatCount(Number(value)) }))}
      />
    )
  return (
    <ProofField
      name={asked.proof?.name}
      error={asked.error}
      isDisabled={isDisabled}
      onFile={(file) => void asked.takeFile(file)}
    />
  )
}

type ProofFieldProps = {
  readonly name: string | undefined
  readonly error: string | undefined
  readonly isDisabled: boolean
  readonly onFile: (file: File | undefined) => void
}

function ProofField({ name, error, isDisabled, onFile }: ProofFieldProps) {
  const id = useId()
  const label = useRef<HTMLLabelElement>(null)
  const isDragging = useFileDrop(label, (file) => {
    if (!isDisabled) onFile(file)
  })
  return (
    <div className="flex flex-col gap-1.5">
      <label
        ref={label}
        htmlFor={id}
        className={classNames(
          'flex min-h-28 cursor-pointer flex-col items-center justify-center gap-2 rounded-m border border-dashed px-4 py-4 text-center text-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-gold',
          isDragging ? 'border-gold bg-gold-soft' : 'border-control bg-surface hover:bg-surface-press',
        )}
      >
        <FileCheck2 aria-hidden size={24} strokeWidth={1.6} className="text-gold" />
        <span className="font-medium break-all">{name ?? texts.proof}</span>
        <span id={`${id}-hint`} className="text-xs text-ink-3">
          {texts.proofHint}
        </span>
        <input
          id={id}
          type="file"
          accept=".tlog-proof,text/plain"
          className="sr-only"
          disabled={isDisabled}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`}
          onChange={({ target }) => onFile(target.files?.[0])}
        />
      </label>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-down">
          {error}
        </p>
      )}
    </div>
  )
}
