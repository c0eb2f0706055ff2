import { CREDIT_SCORE_MAX, VIP_MAX } from '#contract/limits.ts'
import { isBlank } from '#domain/blank.ts'
import { isPassword, isUsername } from '#domain/identity/credentials.ts'
import { MINOR_PER_POINT, points } from '#domain/money.ts'
import { minorTyped, readNumber, typedText } from '#domain/typed-number.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { accountStateTexts as stateTexts } from '#web/parts/account-states-texts.ts'
import { formatAmount, formatSignedAmount } from '#web/platform/formats.ts'
import type { StaffUser, UserChange } from './api.ts'
import { capabilitiesText } from './capabilities-text.ts'

export type DraftField = 'username' | 'password' | 'balance' | 'reason' | 'creditScore' | 'vip'
/** The form's fields, as typed: `balance` in points, `vip` empty for a user without a level. */
export type UserDraft = Readonly<Record<DraftField, string>>
export type DraftErrors = Partial<Record<DraftField, string>>

export const draftOf = (user: StaffUser): UserDraft => ({
  username: user.username,
  password: '',
  balance: typedText(user.balanceMinor),
  reason: texts.reasonDefault,
  creditScore: String(user.creditScore),
  vip: user.vip === null ? '' : String(user.vip),
})

function readWhole(text: string, max: number): number | null {
  const minor = minorTyped(text, 'whole')
  return minor === null || minor > points(max) ? null : Number(minor / MINOR_PER_POINT)
}

const balanceProblems = { ...numberProblems, empty: texts.balanceInvalid, large: texts.balanceTooLarge }

/** Returns the changed fields, and an error for each field whose text is invalid. */
export function readDraft(
  draft: UserDraft,
  base: StaffUser,
): { readonly change: Omit<UserChange, 'version'>; readonly errors: DraftErrors } {
  const change: Record<string, unknown> = {}
  const errors: Record<string, string> = {}

  const username = draft.username.trim()
  if (username !== base.username) {
    if (isUsername(username)) change['username'] = username
    else errors['username'] = texts.usernameInvalid
  }
  if (draft.password !== '') {
    if (isPassword(draft.password)) change['password'] = draft.password
    else errors['password'] = texts.passwordInvalid
  }
  const balance = readNumber(draft.balance, 'cents')
  if (!balance.ok) errors['balance'] = balanceProblems[balance.problem]
  else if (balance.minor !== base.balanceMinor) {
    change['balanceMinor'] = balance.minor
    if (isBlank(draft.reason)) errors['reason'] = texts.reasonRequired
    else change['reason'] = draft.reason.trim()
  }
  const creditScore = readWhole(draft.creditScore, CREDIT_SCORE_MAX)
  if (creditScore === null) errors['creditScore'] = texts.creditInvalid
  else if (creditScore !== base.creditScore) change['creditScore'] = creditScore
  const vip = draft.vip === '' ? null : readWhole(draft.vip, VIP_MAX)
  if (vip === null && draft.vip !== '') errors['vip'] = texts.vipInvalid
  else if (vip !== base.vip) change['vip'] = vip
  return { change, errors }
}

/** Describes a change in one sentence per field. */
export function changeSentences(change: Omit<UserChange, 'version'>, base: StaffUser): readonly string[] {
  const { username, password, balanceMinor, reason = '', creditScore, vip } = change
  const vipText = (level: number | null) => (level === null ? texts.none : String(level))
  return [
    username !== undefined && texts.changeFromTo(texts.account, base.username, username),
    balanceMinor !== undefined &&
      texts.changeBalance(
        formatAmount(base.balanceMinor),
        formatAmount(balanceMinor),
        formatSignedAmount(balanceMinor - base.balanceMinor),
        reason,
      ),
    creditScore !== undefined && texts.changeFromTo(texts.creditScore, String(base.creditScore), String(creditScore)),
    vip !== undefined && texts.changeFromTo(texts.vip, vipText(base.vip), vipText(vip)),
    password !== undefined && texts.changePassword,
  ].filter((sentence) => sentence !== false)
}

const scriptText = ({ scriptedOutcome }: StaffUser): string =>
  scriptedOutcome === null ? texts.fair : scriptedOutcome === 'win' ? stateTexts.autoWin : stateTexts.autoLose

/** Describes the differences between two versions of a user, one sentence each. */
export function differences(before: StaffUser, after: StaffUser): readonly string[] {
  const yesNo = (isTrue: boolean) => (isTrue ? texts.yes : texts.no)
  const facts = (user: StaffUser): ReadonlyArray<readonly [label: string, text: string]> => [
    [texts.account, user.username],
    [texts.balance, formatAmount(user.balanceMinor)],
    [texts.creditScore, String(user.creditScore)],
    [texts.vip, user.vip === null ? texts.none : String(user.vip)],
    [stateTexts.frozen, yesNo(user.isFrozen)],
    [texts.outcome, scriptText(user)],
    [texts.role, user.role === 'admin' ? texts.roleAdmin : texts.rolePlayer],
    [texts.capabilitiesOf, capabilitiesText(user) ?? texts.none],
    [stateTexts.deleted, yesNo(user.deletedAtMs !== null)],
    [stateTexts.mustChange, yesNo(user.mustChangePassword)],
  ]
  const now = new Map(facts(after))
  return facts(before).flatMap(([label, text]) => {
    const other = now.get(label)
    return other === undefined || other === text ? [] : [texts.changeFromTo(label, text, other)]
  })
}

/** Moves the draft to a newer version of the user: edited fields stay, the other fields take the new values. */
export function rebase(draft: UserDraft, base: StaffUser, newer: StaffUser): UserDraft {
  const [before, after] = [draftOf(base), draftOf(newer)]
  const moved = (Object.keys(draft) as DraftField[]).map((field) => {
    const isTyped = draft[field] !== before[field]
    return [field, isTyped ? draft[field] : after[field]] as const
  })
  return Object.fromEntries(moved) as UserDraft
}

/** Letters and digits without look-alikes, because the password may be dictated. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns a one-time password, with one character for each random byte. */
export function passwordFrom(random: Uint8Array): string {
  return [...random].map((byte) => alphabet[byte % alphabet.length]).join('')
}
