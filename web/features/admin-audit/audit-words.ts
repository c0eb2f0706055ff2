import { capabilityWords } from '#contract/capability-words.ts'
import { minorFromNumber } from '#domain/money.ts'
import { adminActTexts, adminAuditTexts as texts, adminFieldTexts, adminValueTexts } from './admin-audit-texts.ts'
import { formatAmount, formatCount, formatDateTime } from '#web/platform/formats.ts'
import type { AuditRow } from './api.ts'

const wordOf = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** Returns the label of an act; an act that this version does not know is shown by its stored name. */
export const actText = (act: string): string => wordOf(adminActTexts, act) ?? act

type Names = AuditRow['names']

/** Returns a stored value as text for people. An id becomes the username from `names`, or else the end of the id. */
export function valueText(field: string, value: unknown, names: Names = []): string {
  if (value === null || value === undefined || value === '') return texts.none
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (/^(amount|summed|adminSummed)Minor$/.test(field) && typeof value === 'string' && /^-?\d{1,18}$/.test(value))
    return formatAmount(BigInt(value))
  if (instantFields.has(field) && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return formatDateTime(Date.parse(value))
  if (field === 'balance' && typeof value === 'number') {
    const minor = minorFromNumber(value)
    return minor === null ? String(value) : formatAmount(minor)
  }
  if (countFields.has(field) && typeof value === 'number') return formatCount(value)
  if (typeof value === 'string' && idForm.test(value))
    return names.find(({ id }) => id === value)?.username ?? texts.idEnd(value.slice(-6))
  if (keyFields.has(field) && typeof value === 'string') return texts.idEnd(value.slice(-10))
  if (typeof value === 'string') return (codedFields.has(field) ? wordOf(adminValueTexts, value) : undefined) ?? value
  if (field === 'capabilities' && Array.isArray(value))
    return value.map((one) => wordOf(capabilityWords, String(one)) ?? String(one)).join(', ') || texts.readOnly
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const keyFields: ReadonlySet<string> = new Set(['image', 'file', 'digest'])
const instantFields: ReadonlySet<string> = new Set(['confirmableFrom', 'moneySince'])
const countFields: ReadonlySet<string> = new Set(['roundNumber', 'transfers', 'accounts', 'messages'])

/** Fields whose stored texts are codes. A code is shown by its label, if there is one. */
const codedFields: ReadonlySet<string> = new Set([
  'scriptedOutcome',
  'password',
  'role',
  'status',
  'kind',
  'staffDirection',
  'dispute',
  'proposal',
  'why',
])

const toFields = (side: unknown): Readonly<Record<string, unknown>> =>
  typeof side === 'object' && side !== null && !Array.isArray(side) ? (side as Record<string, unknown>) : {}

type Changed = Pick<AuditRow, 'before' | 'after'> & { readonly names?: Names }

/** Returns all recorded fields of an act: first those of `before`, then those that only `after` has. */
export function changesOf({ before, after, names = [] }: Changed) {
  const [was, is] = [toFields(before), toFields(after)]
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return fields.map((field) => {
    const [old, now] = [was[field], is[field]]
    return {
      field,
      label: wordOf(adminFieldTexts, field) ?? field,
      // Null if the act did not record this side of the field.
      before: old === undefined ? null : valueText(field, old, names),
      after: now === undefined ? null : valueText(field, now, names),
      isChanged: JSON.stringify(old) !== JSON.stringify(now),
    }
  })
}

/** Returns the fields that changed, on one line: `Số dư: 1,000.00 → 1,200.00 · VIP: – → 3`. */
export function summaryOf(row: Changed): string {
  return changesOf(row)
    .filter(({ isChanged }) => isChanged)
    .map(({ label, before, after }) =>
      before === null ? `${label}: ${after ?? texts.none}` : `${label}: ${before} → ${after ?? texts.none}`,
    )
    .join(' · ')
}

type Target = Pick<AuditRow, 'target' | 'targetName' | 'targetOwner' | 'targetRound'>

/**
 * Names the target of an act: a user by name, a round or a row of the log by number, and any other target by its kind.
 * If a kind has many targets, the owner's name or the end of the id follows. An unknown kind is shown as it is stored.
 */
export function targetText({ target, targetName, targetOwner, targetRound }: Target): string {
  if (targetName !== null) return targetName
  if (targetRound !== null) return texts.roundNumber(targetRound.type, formatCount(targetRound.roundNumber))
  const [kind = '', id = ''] = target.split(':')
  if (kind === 'audit') return texts.detailsTitle(id)
  const word = wordOf(texts.targets, kind)
  if (word === undefined) return wordOf(texts.onlyTargets, kind) ?? target
  return targetOwner === null ? `${word} ${texts.idEnd(id.slice(-6))}` : texts.ofOwner(word, targetOwner.username)
}

/** Returns the id of the user who is the target or owns it, for a link; null if there is no such user. */
export function targetUserId({ target, targetOwner }: Pick<AuditRow, 'target' | 'targetOwner'>): string | null {
  const [kind, id] = target.split(':')
  return kind === 'user' && id !== undefined && id !== '' ? id : (targetOwner?.id ?? null)
}

export const actorText = (actor: string): string => (actor === 'system' ? texts.system : actor)
