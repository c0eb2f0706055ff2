import * as z from 'zod/mini'
import type { Access, Capability, StaffAccess } from '#domain/identity/permissions.ts'
import { id } from './codecs.ts'
import { type RefusalCode, SHARED_REFUSALS, type SharedRefusal } from './refusals.ts'

type Schema = z.ZodMiniType

/** One HTTP call (spec §7, rules §6). A schema's `z.input` is the form on the wire, `z.output` that in our code. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: `/api/v1/${string}`
  readonly access: Access
  /** The access that an ADMIN needs for a call that players make as well (see `Admission`). */
  readonly asStaff?: StaffAccess
  /** Capabilities that only some requests need. The command that handles the request checks them (rules §4.5). */
  readonly parts?: readonly Capability[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly data: Schema
  readonly isList?: true
  /** If one of these is set, `data` is unused: the answer is an image or a PDF, a file to save, or text or bytes. */
  readonly isImage?: true
  readonly isFile?: true
  readonly isRaw?: 'text/plain' | 'application/octet-stream'
  /** Marks a money act. A repeat with the same Idempotency-Key header gets the first answer (rules §3). */
  readonly isMoneyAct?: true
  /** Needs a factor proven, or a player's sign-in, within 15 min. An ADMIN without factors passes (rules §4.10). */
  readonly needsFreshFactor?: true
  /** The body is a file and may take long to arrive, so other calls of the account do not wait for this call to end. */
  readonly isUpload?: true
  readonly refusals?: readonly RefusalCode[]
  readonly summary: string
}

const noData = z.null()
const ofId = z.object({ id })

type Rest = Omit<Endpoint, 'method' | 'path' | 'access' | 'data'>
type ParamsOf<P, E> = E extends { readonly params: Schema }
  ? {}
  : P extends `${string}{id}${string}`
    ? { readonly params: typeof ofId }
    : {}

/**
 * Builds an endpoint and keeps the exact types of its schemas. Without `data`, the answer's `data` is null; without
 * `params`, an `{id}` in the path is a UUID.
 */
export const endpoint = <
  const M extends Endpoint['method'],
  const P extends Endpoint['path'],
  const A extends Access,
  const E extends Rest,
  D extends Schema = z.ZodMiniNull,
>(
  method: M,
  path: P,
  access: A,
  rest: E & { readonly data?: D },
) => {
  const params = (path.includes('{id}') ? { params: ofId } : {}) as ParamsOf<P, E>
  return { method, path, access, data: noData as Schema as D, ...params, ...rest }
}

export const listOf = <Row extends Schema>(row: Row) => ({ data: z.array(row), isList: true }) as const

export type RefusalOf<E extends Endpoint> =
  | SharedRefusal
  | (E extends { readonly refusals: readonly (infer Code extends RefusalCode)[] } ? Code : never)

export const refusalsOf = ({ refusals = [] }: Endpoint): readonly RefusalCode[] => [...SHARED_REFUSALS, ...refusals]
