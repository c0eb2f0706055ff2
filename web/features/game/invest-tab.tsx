import { RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Form } from '#web/ui/field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { BetButtons } from './bet-buttons.tsx'
import { betFormId } from './bet-form-id.ts'
import { gameTexts } from './game-texts.ts'
import { RoundClock } from './round-clock.tsx'
import { StakePicker } from './stake-picker.tsx'
import type { ZoneProps } from './stake-zone.tsx'

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
          {betting.isPlaced && betting.holdsBet && gameTexts.betPlaced}
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
