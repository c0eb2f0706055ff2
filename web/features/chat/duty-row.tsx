import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CAPACITY_MAX, type Duty } from '#domain/chat/queue.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { dutyQuery, setDuty } from './duty-api.ts'
import { queueTexts as texts } from './queue-texts.ts'

const capacities = [1, 2, 3, 5, 10, 15, 20, 30, 50, CAPACITY_MAX]

export function DutyRow() {
  const client = useQueryClient()
  const query = useQuery(dutyQuery)
  const { start, isBusy, wish, failure } = useAct({
    failText: texts.dutyFailed,
    run: async (duty: Duty) => {
      const set = await setDuty(duty)
      // An answer to a call that is under way may be from before.
      await client.cancelQueries(dutyQuery)
      client.setQueryData(dutyQuery.queryKey, set)
    },
    // An act whose answer was lost may be done (rules §3.5).
    onFailure: () => {
      void client.invalidateQueries(dutyQuery)
      return false
    },
  })
  if (query.data === undefined)
    return query.isError ? (
      <p role="alert" className="py-3 text-xs text-down">
        {texts.dutyNotLoaded}
      </p>
    ) : null
  const { isOnDuty, capacity } = wish ?? query.data
  const offered = [...new Set([...capacities, capacity])].toSorted((a, b) => a - b)
  return (
    <>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <Switch
          label={texts.onDuty}
          isOn={isOnDuty}
          isBusy={isBusy}
          onChange={(next) => start({ isOnDuty: next, capacity })}
        />
        {isOnDuty && (
          <Select
            label={texts.capacity}
            isLabelHidden
            value={String(capacity)}
            disabled={isBusy}
            options={offered.map((one) => ({ value: String(one), label: texts.capacityChoice(formatCount(one)) }))}
            onChange={({ target }) => start({ isOnDuty, capacity: Number(target.value) })}
          />
        )}
      </div>
      {failure !== undefined && (
        <p role="alert" className="text-xs font-medium text-down">
          {failure}
        </p>
      )}
    </>
  )
}
