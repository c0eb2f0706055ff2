import { CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import { minorToText } from '#domain/money.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { formatDate, formatDateTime, formatMinute } from '#web/platform/formats.ts'
import { statesOf } from '#web/ui/account-states.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import type { StaffUser } from './api.ts'
import { capabilitiesText } from './capabilities-text.ts'

const roleText = (user: StaffUser): string =>
  user.role === 'admin' ? `${texts.roleAdmin}: ${capabilitiesText(user) ?? ''}` : texts.rolePlayer

const accountColumn = (meId: string): TableColumn<StaffUser> => ({
  id: 'account',
  label: texts.account,
  sort: 'username',
  card: 'title',
  canHide: false,
  cell: ({ id, username, role }) => (
    <span className="flex items-center gap-2">
      <CustomerLink id={id} name={username} className="max-w-44" />
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
    cell: roleText,
    csv: roleText,
  },
  {
    id: 'state',
    label: texts.state,
    takesRest: 'wrap',
    cell: (user) => (
      <span className="flex flex-wrap gap-1 max-md:justify-end md:min-w-24">
        {statesOf(user).map(({ label, tone }) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
        {user.role === 'admin' && <Badge tone="gold">{capabilitiesText(user)}</Badge>}
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
    sort: 'balance',
    align: 'end',
    card: 'aside',
    canHide: false,
    cell: ({ balanceMinor }) => <AmountText amountMinor={balanceMinor} className="font-medium" />,
    csv: ({ balanceMinor }) => ({ decimal: minorToText(balanceMinor) }),
  },
  {
    id: 'staked',
    label: texts.staked,
    sort: 'staked',
    align: 'end',
    cell: ({ stakedMinor }) =>
      stakedMinor === 0n ? <span className="text-ink-3">–</span> : <AmountText amountMinor={stakedMinor} />,
    csv: ({ stakedMinor }) => ({ decimal: minorToText(stakedMinor) }),
  },
  {
    id: 'credit',
    label: texts.creditScore,
    sort: 'credit',
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
    needsRoom: true,
    align: 'end',
    cell: ({ banks }) => texts.banksCount(String(banks.length)),
    csv: ({ banks }) => banks.length,
  },
  {
    id: 'ip',
    label: texts.ip,
    needsRoom: true,
    cell: ({ ip }) => ip ?? '',
    csv: ({ ip }) => ip ?? '',
  },
  {
    id: 'createdAt',
    label: texts.createdAt,
    needsRoom: true,
    sort: 'createdAt',
    cell: ({ createdAtMs }) => `${formatDate(createdAtMs)} ${formatMinute(createdAtMs)}`,
    csv: ({ createdAtMs }) => formatDateTime(createdAtMs),
  },
]

export const userColumns = (meId: string) => [accountColumn(meId), ...otherColumns]
