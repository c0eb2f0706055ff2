import { CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { formatDateMinute } from '#web/platform/formats.ts'
import { statesOf } from '#web/parts/account-states.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { dash, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import type { StaffUser } from './api.ts'
import { capabilitiesText } from './capabilities-text.ts'

const roleText = (user: StaffUser): string =>
  user.role === 'admin' ? `${texts.roleAdmin}: ${capabilitiesText(user) ?? ''}` : texts.rolePlayer

const statesText = (user: StaffUser): string =>
  statesOf(user)
    .map(({ label }) => label)
    .join(', ')

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
  textColumn('role', texts.role, roleText),
  textColumn('state', texts.state, statesText, {
    takesRest: 'wrap',
    card: 'line',
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
  }),
  pointsColumn('balance', texts.balance, ({ balanceMinor }) => balanceMinor, {
    className: 'font-medium',
    sort: 'balance',
    card: 'aside',
    canHide: false,
  }),
  pointsColumn('staked', texts.staked, ({ stakedMinor }) => stakedMinor, {
    sort: 'staked',
    cell: ({ stakedMinor }) => (stakedMinor === 0n ? dash : <AmountText amountMinor={stakedMinor} />),
  }),
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
    cell: ({ vip }) => vip ?? dash,
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
  textColumn('ip', texts.ip, ({ ip }) => ip ?? '', { needsRoom: true }),
  timeColumn('createdAt', texts.createdAt, ({ createdAtMs }) => createdAtMs, {
    needsRoom: true,
    sort: 'createdAt',
    show: formatDateMinute,
  }),
]

export const userColumns = (meId: string) => [accountColumn(meId), ...otherColumns]
