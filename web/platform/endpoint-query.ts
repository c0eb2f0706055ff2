import type { DataTag, QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { callEndpoint, type CallInput, type CallOutput } from './api.ts'

export interface KeyOf<Data> extends DataTag<QueryKey, Data> {}

export type EndpointQuery<Data> = {
  readonly queryKey: KeyOf<Data>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/**
 * Returns the options of `useQuery` for a call of an endpoint. `group` is the first part of the key, by which queries
 * are refetched together. The key does not contain `read`, so queries with equal keys must have the same `read`.
 */
export const endpointQuery = <E extends Endpoint, Data = CallOutput<E>>(
  group: QueryKey,
  endpoint: E,
  input: CallInput<E>,
  read: (answer: CallOutput<E>) => Data = (answer) => answer as Data,
): EndpointQuery<Data> => ({
  queryKey: [...group, endpoint.path, input] as unknown as KeyOf<Data>,
  queryFn: async ({ signal }) => read(await callEndpoint(endpoint, { ...input, signal })),
})
