import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { careEndpoints, type KeptHours } from '#contract/care.ts'
import { AWAY_TEXT_MAX, DAY_MINUTES, type DayHours, halfHoursWith, minuteText } from '#domain/chat/hours.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Select, type SelectOption } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { toast } from '#web/ui/toast.tsx'
import { required, usePrompt } from '#web/ui/use-prompt.ts'
import { Form } from '#web/ui/field.tsx'
import { hoursTexts as texts } from './hours-texts.ts'

/** Not cached, so that the form begins with the current hours each time it opens. */
const hoursQuery = {
  ...endpointQuery(['chat'], careEndpoints.readHours, {}),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
}

export function HoursSettings() {
  const query = useQuery(hoursQuery)
  return (
    <TitledCard title={texts.title}>
      <p className="text-sm text-ink-2">{texts.how}</p>
      {query.data === undefined ? <Pending query={query} shapes={['h-120']} /> : <HoursForm first={query.data} />}
    </TitledCard>
  )
}

function HoursForm({ first }: { readonly first: KeptHours }) {
  const [version, setVersion] = useState(first.version)
  const [week, setWeek] = useState(first.week)
  const awayText = usePrompt(required(texts.awayTextRequired), first.awayText)
  const { start, isBusy, failure } = useAct({
    failText: texts.saveFailed,
    run: () => callEndpoint(careEndpoints.setHours, { body: { week, awayText: awayText.text, version } }),
    onDone: (kept) => {
      setVersion(kept.version)
      toast.success(texts.saved)
    },
  })
  return (
    <Form noValidate onSubmit={() => awayText.check() && start()} className="flex flex-col gap-3">
      <div className="flex flex-col divide-y divide-line border-y border-line">
        {texts.weekdays.map((weekday, at) => (
          <DayRow
            key={weekday}
            weekday={weekday}
            hours={week[at] ?? null}
            onChange={(hours) => setWeek(week.with(at, hours))}
          />
        ))}
      </div>
      <Button
        variant="outline"
        size="sm"
        className="self-start"
        onClick={() => setWeek(week.map(() => week[0] ?? null))}
      >
        {texts.copy}
      </Button>
      <TextArea {...awayText.field} label={texts.awayText} maxLength={AWAY_TEXT_MAX} />
      <FormFailure message={failure} />
      <Button type="submit" isBusy={isBusy} className="self-end">
        {texts.save}
      </Button>
    </Form>
  )
}

/** The hours that a closed day gets when it is switched to open. */
const usual: DayHours = { fromMinute: 8 * 60, toMinute: 17 * 60 }

type DayRowProps = {
  readonly weekday: string
  readonly hours: DayHours | null
  readonly onChange: (hours: DayHours | null) => void
}

function DayRow({ weekday, hours, onChange }: DayRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 py-1">
      <div className="min-w-32 flex-1 basis-32">
        <Switch label={weekday} isOn={hours !== null} onChange={(isOpen) => onChange(isOpen ? usual : null)} />
      </div>
      <div className="flex min-h-target flex-1 basis-52 items-center gap-2">
        {hours === null ? (
          <p className="text-sm text-ink-3">{texts.closed}</p>
        ) : (
          <>
            <Select
              label={texts.from(weekday)}
              isLabelHidden
              className="flex-1"
              options={timeOptions(hours.fromMinute, 0, hours.toMinute - 1)}
              value={String(hours.fromMinute)}
              onChange={({ target }) => onChange({ ...hours, fromMinute: Number(target.value) })}
            />
            <span aria-hidden>–</span>
            <Select
              label={texts.to(weekday)}
              isLabelHidden
              className="flex-1"
              options={timeOptions(hours.toMinute, hours.fromMinute + 1, DAY_MINUTES)}
              value={String(hours.toMinute)}
              onChange={({ target }) => onChange({ ...hours, toMinute: Number(target.value) })}
            />
          </>
        )}
      </div>
    </div>
  )
}

const timeOptions = (chosen: number, least: number, most: number): readonly SelectOption[] =>
  halfHoursWith(chosen)
    .filter((minute) => minute >= least && minute <= most)
    .map((minute) => ({ value: String(minute), label: minuteText(minute) }))
