import { useQuery } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type Reply = { readonly name: string; readonly text: string }

export const repliesKey = ['chat', 'replies'] as const
export const repliesQuery = {
  ...endpointQuery(repliesKey, chatEndpoints.listReplies, {}),
  staleTime: 60_000,
}

/** The replies that staff can choose from: their own, their colleagues', then those that come with the product. */
export function useReplies(ofProduct: readonly Reply[]): readonly Reply[] {
  const { data = none } = useQuery(repliesQuery)
  return [...data, ...ofProduct]
}

const none: readonly never[] = []
