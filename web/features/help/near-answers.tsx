import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { Question } from './help-list.tsx'
import { nearestIn } from './help-search.ts'
import { helpTexts as texts, helpTopics } from './help-texts.ts'

const nearest = nearestIn(helpTopics)

export type NearAnswersProps = {
  readonly text: string
  readonly onType: (text: string) => void
  readonly onAsk: (text: string) => void
}

/** A field for a question in the user's own words, with the nearest answers of the help (rules §7.10). */
export function NearAnswers({ text, onType, onAsk }: NearAnswersProps) {
  const near = nearest(text)
  return (
    <search className="flex flex-col gap-2 px-4 pb-2">
      <TextInput
        type="search"
        label={texts.need}
        value={text}
        maxLength={300}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
      <p role="status" className={near.length === 0 ? 'sr-only' : 'text-xs text-ink-3'}>
        {near.length > 0 && texts.near}
      </p>
      {near.length > 0 && (
        <Card isPadded={false} className="divide-y divide-line overflow-hidden">
          {near.map((one) => (
            <Question key={one.id} question={one} isOpen={false} />
          ))}
        </Card>
      )}
      {text.trim() !== '' && (
        <Button size="sm" className="self-end" onClick={() => onAsk(text.trim())}>
          {texts.askAnyway}
        </Button>
      )}
    </search>
  )
}
