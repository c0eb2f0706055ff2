import * as z from 'zod/mini'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { answer, person, query, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The name of a back office list in the web, such as `giao-dich`. */
const listName = text.check(z.regex(/^[a-z-]{1,40}$/))

const SEARCH_PARAMETERS_MAX = 30

const viewSearch = z
  .record(
    text.check(z.regex(/^[A-Za-z]{1,30}$/)),
    z.union([text.check(z.maxLength(200), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)), z.number()]),
  )
  .check(z.refine((search) => Object.keys(search).length <= SEARCH_PARAMETERS_MAX))

const savedView = answer(() => ({
  id: ['_id', text],
  list: text,
  name: text,
  search: viewSearch,
  isShared: z.boolean(),
  maker: ['author', person],
}))
export type SavedView = z.output<typeof savedView>

export const savedViewEndpoints = {
  listViews: endpoint('GET', '/api/v1/staff/views', 'staff', {
    query: query(() => ({ list: listName })),
    data: z.array(savedView),
    summary: 'Saved views of a list: the own ones first, then those that others share',
  }),
  saveView: endpoint('POST', '/api/v1/staff/views', 'staff', {
    parts: CAPABILITIES,
    body: request(() => ({
      list: listName,
      name: text.check(z.maxLength(1_000)),
      search: viewSearch,
      isShared: z.boolean(),
    })),
    data: savedView,
    refusals: ['VIEW_NAME_INVALID', 'VIEW_NAME_TAKEN', 'TOO_MANY_VIEWS'],
    summary: 'Save a view of a list under a name, for oneself or for the team',
  }),
  deleteView: endpoint('DELETE', '/api/v1/staff/views/{id}', 'staff', {
    parts: ['owner'],
    refusals: ['NOT_FOUND'],
    summary: 'Delete a saved view: an own one, or as an owner one that is shared',
  }),
} as const
