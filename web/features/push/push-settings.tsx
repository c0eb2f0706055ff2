import { DAY_MINUTES, halfHoursWith, minuteText } from '#domain/chat/hours.ts'
import { DEFAULT_PREFERENCES, PUSH_KINDS } from '#domain/push/push.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Select, type SelectOption } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { pushTexts } from './push-texts.ts'
import { usePush } from './use-push.ts'

/** The two ends of the quiet hours must differ: equal ends could mean no quiet hours or the whole day. */
const quietEnds = [
  { end: 'fromMinute', other: 'toMinute', label: pushTexts.from },
  { end: 'toMinute', other: 'fromMinute', label: pushTexts.to },
] as const

/** The settings of pushes (rules §6.9): whether this browser gets any, of which kinds, and the quiet hours. */
export function PushSettings() {
  const { query, push, permission, switching, wasDismissed, save, isSaving } = usePush()
  if (permission === 'unsupported') return <p className="text-sm text-ink-2">{pushTexts.unsupported}</p>
  if (push === undefined) return <Pending query={query} shapes={['h-14']} />
  const { quiet } = push
  const isOn = push.isOn && permission === 'granted'
  return (
    <div className="flex flex-col gap-3">
      {permission === 'blocked' ? (
        <Banner tone="warn">{pushTexts.blocked}</Banner>
      ) : (
        <Switch
          label={pushTexts.device}
          detail={pushTexts.deviceHint}
          isOn={switching.wish ?? isOn}
          isBusy={switching.isBusy}
          onChange={switching.start}
        />
      )}
      <div role="status" className="text-sm empty:hidden">
        {switching.failure !== undefined ? (
          <p className="text-down">{switching.failure}</p>
        ) : (
          wasDismissed && <p className="text-ink-2">{pushTexts.notGranted}</p>
        )}
      </div>
      {isOn && (
        <>
          <div className="flex flex-col divide-y divide-line border-y border-line">
            {PUSH_KINDS.map((kind) => (
              <Switch
                key={kind}
                label={pushTexts.kinds[kind]}
                isOn={push.kinds[kind]}
                isBusy={isSaving}
                onChange={(wish) => save({ kinds: { ...push.kinds, [kind]: wish } })}
              />
            ))}
            <Switch
              label={pushTexts.quiet}
              detail={pushTexts.quietHint}
              isOn={quiet !== null}
              isBusy={isSaving}
              onChange={(wish) => save({ quiet: wish ? DEFAULT_PREFERENCES.quiet : null })}
            />
          </div>
          {quiet !== null && (
            <div className="grid grid-cols-2 gap-2">
              {quietEnds.map(({ end, other, label }) => (
                <Select
                  key={end}
                  label={label}
                  options={timeOptions(quiet[end], quiet[other])}
                  value={String(quiet[end])}
                  isOff={isSaving}
                  onChange={({ target }) => save({ quiet: { ...quiet, [end]: Number(target.value) } })}
                />
              ))}
            </div>
          )}
          <p className="text-xs text-ink-3">{pushTexts.everyDevice}</p>
        </>
      )}
    </div>
  )
}

/** Returns the times of day for one end of the quiet hours. The time of the other end is disabled. */
export const timeOptions = (chosen: number, other: number): readonly SelectOption[] =>
  halfHoursWith(chosen)
    .filter((minute) => minute < DAY_MINUTES)
    .map((minute) => ({ value: String(minute), label: minuteText(minute), isDisabled: minute === other }))
