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
  /** The access that an ADMIN needs for a call that players make as well (domain/identity/permissions.ts). */
  readonly asStaff?: StaffAccess
  /** Capabilities that only some requests need. The handler of the request checks them (rules §4.5). */
  readonly parts?: readonly Capability[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly data: Schema
  readonly isList?: true
  /**
   * If one of the next three is set, `data` is unused. The answer is then an image or a PDF (`isImage`), a file to save
   * (`isFile`), or text or bytes (`isRaw`).
   */
  readonly isImage?: true
  readonly isFile?: true
  readonly isRaw?: 'text/plain' | 'application/octet-stream'
  /** A repeat with the same Idempotency-Key header gets the first answer, if that was a success (rules §3.5). */
  readonly takesKey?: true
  /** Needs a fresh second factor (rules §4.10) or, for a player, a fresh sign-in or proof (rules §4.12). */
  readonly needsFreshFactor?: true
  /** The body is a file and may arrive slowly, so the call stays out of the queue of its account's calls. */
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
