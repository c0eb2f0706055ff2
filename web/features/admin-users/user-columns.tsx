import { CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import { minorToText } from '#domain/money.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { formatDate, formatDateTime, formatMinute } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import type { StaffUser } from './api.ts'

/** Labels for every unusual state of an account; one label for an account without any. */
export function statesOf(user: StaffUser): ReadonlyArray<{ readonly label: string; readonly tone: BadgeTone }> {
  const states: { label: string; tone: BadgeTone }[] = []
  if (user.deletedAtMs !== null) states.push({ label: texts.deleted, tone: 'neutral' })
  if (user.isFrozen) states.push({ label: texts.frozen, tone: 'down' })
  if (user.scriptedOutcome !== null)
    states.push({ label: user.scriptedOutcome === 'win' ? texts.autoWin : texts.autoLose, tone: 'warn' })
  if (user.mustChangePassword) states.push({ label: texts.mustChange, tone: 'info' })
  return states.length > 0 ? states : [{ label: texts.active, tone: 'up' }]
}

const accountColumn = (meId: string): TableColumn<StaffUser> => ({
  id: 'account',
  label: texts.account,
  sort: 'username',
  card: 'title',
  canHide: false,
  cell: ({ id, username, role }) => (
    <span className="flex items-center gap-2">
      <span title={username} className="max-w-44 truncate font-medium">
        {username}
      </span>
      {role === 'admin' && <Badge tone="gold">{texts.roleAdmin}</Badge>}
      {id === meId && <span className="text-xs text-ink-3">({texts.you})</span>}
    </span>
  ),
  csv: ({ username }) => username,
})

const otherColumns: ReadonlyArray<TableColumn<StaffUser>> = [
  {
    id: 'role',
    label: texts.role,
    cell: ({ role }) => (role === 'admin' ? texts.roleAdmin : texts.rolePlayer),
    csv: ({ role }) => (role === 'admin' ? texts.roleAdmin : texts.rolePlayer),
  },
  {
    id: 'state',
    label: texts.state,
    takesRest: true,
    cell: (user) => (
      <span className="flex flex-wrap gap-1 max-md:justify-end md:min-w-24">
        {statesOf(user).map(({ label, tone }) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
      </span>
    ),
    csv: (user) =>
      statesOf(user)
        .map(({ label }) => label)
        .join(', '),
  },
  {
    id: 'balance',
    label: texts.balance,
    align: 'end',
    card: 'aside',
    canHide: false,
    cell: ({ balanceMinor }) => <AmountText amountMinor={balanceMinor} className="font-medium" />,
    csv: ({ balanceMinor }) => ({ decimal: minorToText(balanceMinor) }),
  },
  {
    id: 'credit',
    label: texts.creditScore,
    align: 'end',
    cell: ({ creditScore }) => (
      <span className={creditScore < CREDIT_SCORE_RED_BELOW ? 'text-down' : ''}>{creditScore}</span>
    ),
    csv: ({ creditScore }) => creditScore,
  },
  {
    id: 'vip',
    label: texts.vip,
    align: 'end',
    cell: ({ vip }) => vip ?? <span className="text-ink-3">–</span>,
    csv: ({ vip }) => vip ?? '',
  },
  {
    id: 'banks',
    label: texts.banks,
    align: 'end',
    cell: ({ banks }) => texts.banksCount(String(banks.length)),
    csv: ({ banks }) => banks.length,
  },
  {
    id: 'ip',
    label: texts.ip,
    cell: ({ ip }) => ip ?? '',
    csv: ({ ip }) => ip ?? '',
  },
  {
    id: 'createdAt',
    label: texts.createdAt,
    sort: 'createdAt',
    cell: ({ createdAtMs }) => `${formatDate(createdAtMs)} ${formatMinute(createdAtMs)}`,
    csv: ({ createdAtMs }) => formatDateTime(createdAtMs),
  },
]

export const userColumns = (meId: string) => [accountColumn(meId), ...otherColumns]
