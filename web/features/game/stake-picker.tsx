import { PRESET_STAKES } from '#domain/game/bet.ts'
import { formatCount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { NumberInput } from '#web/ui/number-input.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

const options = PRESET_STAKES.map((stake) => ({ value: String(stake), label: formatCount(stake) }))

export type StakePickerProps = {
  /** Digits; '' while nothing is chosen. */
  readonly value: string
  readonly onChange: (digits: string) => void
}

/** The preset stakes of spec §9 and a free amount, as one value. */
export function StakePicker({ value, onChange }: StakePickerProps) {
  const preset = options.some((option) => option.value === value) ? value : null
  return (
    <div className="flex flex-col gap-2">
      <SegmentedControl
        label={gameTexts.presetStakes}
        isLabelHidden
        value={preset}
        onChange={onChange}
        options={options}
      />
      <NumberInput
        label={gameTexts.ownStake}
        isLabelHidden
        placeholder={gameTexts.ownStake}
        value={value}
        onChange={onChange}
        // The maximum stake, 100,000, has six digits; a seventh lets the line beneath the buttons report that it is too
        // much.
        maxDigits={7}
        unit={commonTexts.points}
      />
    </div>
  )
}
