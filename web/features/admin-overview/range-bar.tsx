import { ChoiceBar, DayBox } from '#web/lists/controls.tsx'
import { serverNowMs } from '#web/platform/server-time.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { chosen, type RangeChoice, type RangeName } from './range.ts'

export type RangeBarProps<Name extends RangeName> = {
  readonly names: readonly Name[]
  readonly choice: RangeChoice & { readonly range: Name }
  readonly onChange: (choice: Partial<RangeChoice & { readonly range: Name }>) => void
}

/** Lets the admin choose a range by its name, or a range of their own by its first and last day. */
export const RangeBar = <Name extends RangeName>({ names, choice, onChange }: RangeBarProps<Name>) => (
  <>
    <ChoiceBar
      label={texts.range}
      value={choice.range}
      onChange={(range) => onChange({ ...chosen(range, choice, serverNowMs()), range })}
      choices={names.map((value) => ({ value, label: texts.ranges[value] }))}
    />
    {choice.range === 'own' && (
      <div className="flex flex-wrap gap-2 max-md:w-full">
        <DayBox label={texts.from} text={choice.from} onChange={(from) => onChange({ from })} />
        <DayBox label={texts.to} text={choice.to} onChange={(to) => onChange({ to })} />
      </div>
    )}
  </>
)
