import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useQuery } from '@tanstack/react-query'
import { proposalEndpoints } from '#contract/proposals.ts'
import { type SecondPersonSum, sizeOf, whySecondPerson } from '#domain/four-eyes/proposal.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { secondPersonTexts as texts } from './second-person-texts.ts'

const daySumQuery = (userId: string) => ({
  ...endpointQuery(adminKeys.proposals, proposalEndpoints.readDaySum, { query: { userId } }),
  staleTime: 0,
})

/**
 * Returns whether moving points of a player needs a second admin (rules §3.10). Pass null if no points are moved.
 * `isNeeded` is false also until the server has answered. In any case the server itself decides about each act.
 */
export function useSecondPerson(owner: { readonly id: string; readonly username: string }, amountMinor: bigint | null) {
  const { data } = useQuery({ ...daySumQuery(owner.id), enabled: amountMinor !== null })
  const { movedMinor = 0n, byAdminMinor = 0n, fromMinor = null } = data ?? {}
  const why = amountMinor === null ? null : whySecondPerson({ movedMinor, byAdminMinor, fromMinor, amountMinor })
  if (amountMinor === null || fromMinor === null || why === null) return { isNeeded: false, banner: null }
  const size = sizeOf(amountMinor)
  const from = formatAmount(fromMinor)
  return {
    isNeeded: true,
    banner: (
      <Banner tone="warn" isLive>
        {texts.needed}
        <p className="font-normal">
          {why === 'player'
            ? texts.why(owner.username, formatAmount(movedMinor + size), from)
            : texts.whyYou(formatAmount(byAdminMinor + size), from)}
        </p>
      </Banner>
    ),
  }
}

type OpenProposal = {
  readonly by: { readonly username: string }
  readonly expiresAtMs: number
}

export const waitingText = ({ by, expiresAtMs }: OpenProposal): string =>
  texts.waitingFor(by.username, dayMinuteText(expiresAtMs))

export const WaitingBadge = ({ proposal }: { readonly proposal: OpenProposal }) => (
  <ExplainedBadge tone="info" label={texts.waiting} why={waitingText(proposal)} />
)

export const SecondPersonMark = ({ because }: { readonly because: SecondPersonSum }) => (
  <ExplainedBadge tone="neutral" label={texts.mark} why={texts.marks[because]} />
)

type ExplainedBadgeProps = { readonly tone: BadgeTone; readonly label: string; readonly why: string }

const ExplainedBadge = ({ tone, label, why }: ExplainedBadgeProps) => (
  <span title={why}>
    <Badge tone={tone}>{label}</Badge>
    <span className="sr-only">: {why}</span>
  </span>
)
