import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { newIdempotencyKey } from '#web/platform/http.ts'
import { BulkFrame } from '#web/lists/bulk-results.tsx'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { useBulkRun } from '#web/lists/use-bulk-run.ts'
import type { AllRows } from '#web/lists/use-selection.ts'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { readUser, type StaffUser, updateUser } from './api.ts'
import { BULK_MOST, type BulkAct, type BulkPlan, type LeftOutWhy, planBulk } from './bulk-plan.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'

const namesShown = 8

export type BulkDialogProps = {
  readonly act: BulkAct
  /** The accounts that were chosen one by one; if all rows of a filter are chosen, only the rows on screen. */
  readonly users: readonly StaffUser[]
  readonly all: AllRows<StaffUser> | null
  readonly meId: string
  readonly onClose: () => void
}

/** Freezes or unfreezes many accounts: shows the included and left out accounts, then each outcome (rules §6.1). */
export function BulkDialog({ act, users, all, meId, onClose }: BulkDialogProps) {
  const isFreeze = act === 'freeze'
  // The accounts are read when the dialog opens and not again, so that the act reaches the reviewed accounts only.
  const [key] = useState(() => ['bulk', newIdempotencyKey()])
  const chosenOnes = { rows: users, isAll: true, missing: 0 }
  const chosen = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => (all === null ? Promise.resolve(chosenOnes) : all.load(signal)),
    staleTime: Infinity,
    gcTime: 0,
    ...(all === null && { initialData: chosenOnes }),
  })
  const refresh = useAdminRefresh('users', 'audit')
  const showRow = useShowRow<StaffUser>('users')
  const run = useBulkRun<StaffUser>({
    rowId,
    failText: isFreeze ? texts.freezeFailed : texts.unfreezeFailed,
    onSettled: refresh,
    act: async (user, isRetry) => {
      const done = isFreeze ? texts.nowFrozen : texts.unfrozen
      const now = isRetry ? ((await readUser(user.id)) ?? user) : user
      // On a retry, the account may be in the wanted state already: an answer was lost, or a colleague was faster.
      const isDone = now.isFrozen === isFreeze
      const change = { isFrozen: isFreeze, version: now.version }
      showRow(isDone ? now : await updateUser(user.id, change, newIdempotencyKey()))
      return done
    },
  })
  const plan = chosen.data === undefined ? undefined : planBulk(act, chosen.data.rows, meId)
  const count = formatCount(run.phase === 'asking' ? (plan?.users.length ?? 0) : run.rows.length)
  const isEmpty = plan?.users.length === 0
  const title =
    plan === undefined
      ? adminTableTexts.bulkReading
      : (isFreeze ? texts.bulkFreezeTitle : texts.bulkUnfreezeTitle)(count)
  return (
    <BulkFrame
      run={run}
      rowId={rowId}
      rowName={({ username }) => username}
      title={title}
      description={
        run.phase === 'asking' ? (
          <Review plan={plan} act={act} isAll={chosen.data?.isAll !== false} missing={chosen.data?.missing ?? 0} />
        ) : (
          <p>{isFreeze ? texts.bulkFreezeText : texts.bulkUnfreezeText}</p>
        )
      }
      confirmLabel={(isFreeze ? texts.bulkFreeze : texts.bulkUnfreeze)(count)}
      tone={isFreeze ? 'danger' : 'primary'}
      isConfirmDisabled={plan === undefined || isEmpty}
      onConfirm={() => plan !== undefined && run.start(plan.users)}
      onClose={onClose}
    >
      {chosen.isError && <QueryFailure query={chosen} />}
    </BulkFrame>
  )
}

const rowId = ({ id }: StaffUser) => id

const whyTexts: Readonly<Record<LeftOutWhy, (count: string, act: BulkAct) => string>> = {
  deleted: texts.leftOutDeleted,
  self: texts.leftOutSelf,
  admin: texts.leftOutAdmin,
  already: (count, act) => (act === 'freeze' ? texts.leftOutFrozen : texts.leftOutNotFrozen)(count),
}

type ReviewProps = {
  readonly plan: BulkPlan | undefined
  readonly act: BulkAct
  readonly isAll: boolean
  readonly missing: number
}

function Review({ plan, act, isAll, missing }: ReviewProps) {
  if (plan === undefined) return <SkeletonGroup shapes={['h-24']} />
  const { users, leftOut } = plan
  const names = users.slice(0, namesShown).map(({ username }) => username)
  const more = users.length - names.length
  return (
    <div className="flex flex-col gap-2">
      {users.length === 0 ? (
        <p className="font-medium text-ink">{texts.bulkNobody}</p>
      ) : (
        <>
          <p>{act === 'freeze' ? texts.bulkFreezeText : texts.bulkUnfreezeText}</p>
          <p className="[overflow-wrap:anywhere]">
            {texts.bulkWhom}: <span className="font-medium text-ink">{names.join(', ')}</span>
            <span>{more > 0 ? ` ${texts.bulkMore(formatCount(more))}.` : '.'}</span>
          </p>
        </>
      )}
      {leftOut.size > 0 && (
        <div>
          <p>{texts.leftOut}</p>
          <ul className="flex list-disc flex-col gap-1 pl-4 tabular-nums">
            {[...leftOut].map(([why, count]) => (
              <li key={why}>{whyTexts[why](formatCount(count), act)}</li>
            ))}
          </ul>
        </div>
      )}
      {!isAll && <p className="text-ink-3">{texts.bulkMost(formatCount(BULK_MOST))}</p>}
      {missing > 0 && <p className="text-ink-3">{texts.bulkMissing(formatCount(missing))}</p>}
    </div>
  )
}
