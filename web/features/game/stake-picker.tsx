import { PRESET_STAKES } from '#domain/game/bet.ts'
import { points } from '#domain/money.ts'
import { formatCount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Five equal columns with gaps of 0.5rem, or fewer if a column would be narrower than 3.1rem. */
const columns = 'repeat(auto-fill, minmax(max(3.1rem, (100% - 2rem) / 5 - 1px), 1fr))'

type OwnStakeProps = {
  readonly value: string
  readonly onChange: (stake: string) => void
}

export type StakePickerProps = OwnStakeProps & {
  /** In minor units, or null while unknown. */
  readonly balanceMinor: bigint | null
}

/** The field is loaded after the screen is drawn, because its code is large. */
const loadField = afterDrawing(() => import('#web/ui/number-input.tsx'))

/** Offers the preset stakes (spec §9.1) and a field for other stakes. A preset above the balance is dimmed. */
export function StakePicker({ value, onChange, balanceMinor }: StakePickerProps) {
  const options = PRESET_STAKES.map((stake) => {
    const isDimmed = balanceMinor !== null && points(stake) > balanceMinor
    const label = formatCount(stake)
    return { value: String(stake), label: isDimmed ? <span className="text-ink-3">{label}</span> : label }
  })
  const preset = options.some((option) => option.value === value) ? value : null
  return (
    <SegmentedControl
      label={gameTexts.presetStakes}
      isLabelHidden
      value={preset}
      onChange={onChange}
      options={options}
      columns={columns}
      className="max-[22rem]:[&_label]:px-0 max-[22rem]:[&_label]:text-dense"
      last={<OwnStake value={value} onChange={onChange} />}
    />
  )
}

function OwnStake({ value, onChange }: OwnStakeProps) {
  const { part } = useLazyPart(loadField)
  if (part === undefined) return <Skeleton className="col-span-2 h-target" />
  return (
    <part.NumberInput
      label={gameTexts.ownStake}
      isLabelHidden
      placeholder={gameTexts.ownStake}
      value={value}
      onChange={onChange}
      unit={commonTexts.points}
      className="col-span-2 max-[22rem]:[&_input::placeholder]:text-dense"
    />
  )
}
