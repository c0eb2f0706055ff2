import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { AskCare } from '#web/ui/ask-care.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { searchHelp } from './help-search.ts'
import { type HelpQuestion, helpTexts, helpTopics } from './help-texts.ts'

/** Questions and answers by topic, with a search. The question that the address's hash names is open at first. */
export function HelpList() {
  const [text, setText] = useState('')
  const hash = useLocation({ select: ({ hash: id }) => id })
  const topics = searchHelp(helpTopics, text)
  const count = topics.reduce((sum, { questions }) => sum + questions.length, 0)
  const isSearching = text.trim() !== ''
  return (
    <>
      <search>
        <TextInput
          type="search"
          label={helpTexts.search}
          value={text}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <p role="status" className="min-h-[1.5em] pt-1 text-xs text-ink-3 tabular-nums">
          {isSearching && helpTexts.found(formatCount(count))}
        </p>
      </search>
      {count === 0 && (
        <EmptyState
          text={helpTexts.nothing(text.trim())}
          action={
            <Button variant="outline" onClick={() => setText('')}>
              {helpTexts.clear}
            </Button>
          }
        />
      )}
      {topics.map(({ title, questions }) => (
        <section key={title} className="flex flex-col gap-2">
          <h2 className="text-base font-semibold">{title}</h2>
          <Card isPadded={false} className="divide-y divide-line overflow-hidden">
            {questions.map((one) => (
              <Question key={one.id} question={one} isOpen={isSearching || one.id === hash} />
            ))}
          </Card>
        </section>
      ))}
      <AskCare className="self-center" />
    </>
  )
}

export function Question({ question, isOpen }: { readonly question: HelpQuestion; readonly isOpen: boolean }) {
  return (
    // The key remounts the element when `isOpen` changes. In between, only the user opens or closes the element.
    <details key={String(isOpen)} id={question.id} open={isOpen} className="group scroll-mt-4">
      <summary className="flex min-h-target cursor-pointer list-none items-center gap-3 px-4 py-2.5 font-medium hover:bg-surface-press focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">{question.question}</span>
        <span aria-hidden className="text-lg text-ink-3 group-open:rotate-45">
          +
        </span>
      </summary>
      <div className="flex flex-col gap-2 px-4 pb-4 text-sm text-ink-2">
        {question.answer.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </details>
  )
}
