import { NumberFormatBase } from 'react-number-format'
import { minorTyped, typedText } from '#domain/typed-number.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useTypedNumber } from '#web/ui/number-input.tsx'
import { useDraft } from '#web/ui/use-draft.ts'
import { LabelledBox } from './controls.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

type AmountBoxProps = {
  readonly label: string
  /** Whole points, as digits; '' for no amount. */
  readonly text: string
  readonly onChange: (digits: string) => void
}

export const amountBoxes = {
  min: (bound: Omit<AmountBoxProps, 'label'>) => <AmountBox label={texts.fromPoints} {...bound} />,
  max: (bound: Omit<AmountBoxProps, 'label'>) => <AmountBox label={texts.toPoints} {...bound} />,
} as const

function digitsOf(draft: string): string | null {
  const minor = minorTyped(draft, 'whole')
  return minor === null ? (draft.trim() === '' ? '' : null) : typedText(minor)
}

function AmountBox({ label, text, onChange }: AmountBoxProps) {
  const { draft, setDraft, wish, handOn, leave } = useDraft(text, onChange, digitsOf)
  const { input, problem } = useTypedNumber({ value: draft, onChange: setDraft, onBlur: leave })
  return (
    <LabelledBox label={label} problem={problem}>
      {({ className, ...control }) => (
        <NumberFormatBase
          {...control}
          {...input}
          onKeyDown={(event) => {
            if (event.key === 'Enter') handOn(wish)
            input.onKeyDown(event)
          }}
          className={classNames(className, 'tabular-nums md:w-24')}
        />
      )}
    </LabelledBox>
  )
}
