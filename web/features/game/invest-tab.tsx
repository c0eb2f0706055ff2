import { RATE_PERCENT, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { playMoneyTexts, commonTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Form } from '#web/ui/field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { BetButtons } from './bet-buttons.tsx'
import { betFormId } from './bet-form-id.ts'
import { gameTexts } from './game-texts.ts'
import type { ZoneProps } from './stake-zone.tsx'
import { PRESET_STAKES } from '#domain/game/bet.ts'
import { points } from '#domain/money.ts'
import { formatCount } from '#web/platform/formats.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { ReactNode } from 'react'
import { failureText } from '#web/platform/http.ts'
import { Button } from '#web/ui/button.tsx'
import { Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { currentRoundQuery, type GameRound } from './api.ts'
import type { RoundView } from './round-view.ts'
import { queryClient } from '#web/platform/query-client.ts'

const loadZone = afterDrawing(() => import('./stake-zone.tsx'))

const types = ROUND_TYPES.map((type) => ({ value: type, label: type, detail: `${RATE_PERCENT[type]}%` }))

export function InvestTab(props: ZoneProps) {
  const { type, onType, game, betting } = props
  return (
    <div className="flex flex-col gap-2 low:gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SegmentedControl
          label={gameTexts.roundType}
          isLabelHidden
          value={type}
          onChange={onType}
          options={types}
          className="basis-full short:order-1 short:min-w-[min(100%,12rem)] short:flex-1 short:basis-0 short:[&>div]:gap-1.5"
        />
        <RoundClock view={game.view} type={type} />
      </div>
      <div
        id={betFormId}
        role="group"
        aria-label={gameTexts.betForm}
        tabIndex={-1}
        className="flex flex-col gap-2 low:gap-1.5"
      >
        {/* The area reserves its final height, so that nothing moves when stake-zone.tsx is loaded. */}
        <div
          className={classNames(
            'flex flex-col gap-1',
            game.held.bet === null ? 'min-h-32 lowest:min-h-24' : 'min-h-22',
          )}
        >
          <StakeOrBet {...props} />
        </div>
        <BetButtons type={type} betting={betting} />
        {/* For screen readers only: on screen, the bet's card shows that the bet was placed. */}
        <p role="status" className="sr-only">
          {betting.isPlaced && gameTexts.betPlaced}
        </p>
      </div>
      <PlayMoneyLine />
    </div>
  )
}

/** Shows the stakes or the held bet. Staff see a note that they do not play. */
function StakeOrBet(props: ZoneProps) {
  const { type, game, betting } = props
  const { part } = useLazyPart(loadZone)
  const { bet } = game.held
  return (
    <>
      {bet !== null ? (
        part && <part.HeldBetInZone {...props} />
      ) : betting.isPlayer ? (
        <Form noValidate onSubmit={() => betting.askForDirection()}>
          <StakePicker
            value={betting.stake}
            onChange={betting.setStake}
            balanceMinor={game.config?.balanceMinor ?? null}
          />
        </Form>
      ) : (
        <Banner tone="info">{gameTexts.staffDoNotPlay}</Banner>
      )}
      {part !== undefined && bet?.round.type !== type && <part.ZoneFoot {...props} />}
    </>
  )
}

export function PlayMoneyLine() {
  return (
    <p className="-mx-gutter -mt-1 text-center text-xs text-ink-3 max-[21rem]:text-[0.6875rem] max-[21rem]:tracking-tight">
      {playMoneyTexts.everywhere}
    </p>
  )
}

/** Five equal columns with gaps of 0.5rem, or fewer if a column would be narrower than 3.1rem. */
const columns = 'repeat(auto-fill, minmax(max(3.1rem, (100% - 2rem) / 5 - 1px), 1fr))'

type OwnStakeProps = {
  readonly value: string
  readonly onChange: (stake: string) => void
}

type StakePickerProps = OwnStakeProps & {
  /** In minor units, or null while unknown. */
  readonly balanceMinor: bigint | null
}

/** The field is loaded after the screen is drawn, because its code is large. */
const loadField = afterDrawing(() => import('#web/ui/number-input.tsx'))

/** Offers the preset stakes (spec §9.1) and a field for other stakes. A preset above the balance is dimmed. */
function StakePicker({ value, onChange, balanceMinor }: StakePickerProps) {
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

function RoundClock({ view, type }: { readonly view: RoundView; readonly type: RoundType }) {
  switch (view.state) {
    case 'loading':
      return (
        <SkeletonGroup
          className="flex min-h-11 flex-1 items-center gap-3 short:flex-none"
          shapes={['h-8 w-20', 'h-3 flex-1 short:hidden']}
        />
      )
    case 'unreachable':
      return <UnreachableClock error={view.error} type={type} />
    case 'none':
    case 'deleted':
      return (
        <Row
          clock={<Countdown endsAtMs={view.nextOpensAtMs} label={gameTexts.untilNextRound} />}
          bar={emptyBar}
          text={view.state === 'none' ? gameTexts.noRound : gameTexts.roundDeleted}
        />
      )
    case 'opening':
    case 'running':
      return <RoundRow round={view.round} text={betUntil(view.round)} />
    case 'feed-closed':
      return <RoundRow round={view.round} text={view.round.feedReason ?? gameTexts.feedClosed} />
    case 'closing':
      return <RoundRow round={view.round} text={gameTexts.roundClosing} />
    case 'settling':
      return <RoundRow round={null} text={gameTexts.roundSettling} />
    case 'away':
      return <RoundRow round={view.round} text={gameTexts.serverAway} />
  }
}

const betUntil = ({ closesAtMs, locksAtMs }: GameRound) => gameTexts.betUntil((closesAtMs - locksAtMs) / 1000)

type RowProps = { readonly clock: ReactNode; readonly bar: ReactNode; readonly text: string }

/** A row that keeps its height when its content changes, so that nothing moves. `text` is for screen readers. */
function Row({ clock, bar, text }: RowProps) {
  return (
    <div className="flex min-h-11 flex-1 items-center gap-3 short:flex-none short:flex-col short:items-stretch short:justify-center short:gap-1">
      <div translate="no" className="text-xl font-semibold tracking-tight tabular-nums">
        {clock}
      </div>
      <div className="min-w-0 flex-1 short:flex-none">{bar}</div>
      <p className="sr-only">{text}</p>
    </div>
  )
}

const emptyBar = <div aria-hidden className="h-1 rounded-pill bg-line" />

/** Shows the countdown of a round. Without a round the clock stands at zero. */
function RoundRow({ round, text }: { readonly round: GameRound | null; readonly text: string }) {
  if (round === null) return <Row clock="00:00" bar={emptyBar} text={text} />
  const { opensAtMs, closesAtMs } = round
  return (
    <Row
      clock={<Countdown endsAtMs={closesAtMs} label={gameTexts.countdown} />}
      bar={<ProgressBar startsAtMs={opensAtMs} endsAtMs={closesAtMs} />}
      text={text}
    />
  )
}

function UnreachableClock({ error, type }: { readonly error: unknown; readonly type: RoundType }) {
  return (
    <div role="alert" className="flex min-h-11 basis-full items-center gap-3">
      <p className="min-w-0 flex-1 text-sm text-down">{failureText(error, gameTexts.roundUnreachable)}</p>
      <Button
        variant="outline"
        onClick={() => void queryClient.refetchQueries({ queryKey: currentRoundQuery(type).queryKey })}
      >
        {commonTexts.retry}
      </Button>
    </div>
  )
}
