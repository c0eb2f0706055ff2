import { RATE_PERCENT, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { gameTexts } from './game-texts.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

const options = ROUND_TYPES.map((type) => ({ value: type, label: type, detail: `${RATE_PERCENT[type]}%` }))

export type TypeSelectorProps = {
  readonly value: RoundType
  readonly onChange: (type: RoundType) => void
  readonly className?: string
}

export function TypeSelector({ value, onChange, className }: TypeSelectorProps) {
  return (
    <SegmentedControl
      label={gameTexts.roundType}
      isLabelHidden
      value={value}
      onChange={onChange}
      options={options}
      {...(className !== undefined && { className })}
    />
  )
}
