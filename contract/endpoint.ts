import * as z from 'zod/mini'
import type { Access, Capability, StaffAccess } from '#domain/identity/permissions.ts'
import { type RefusalCode, SHARED_REFUSALS, type SharedRefusal } from './refusals.ts'

type Schema = z.ZodMiniType

/** One HTTP call of spec §7 or rules §6. A schema's `z.output` is our side, its `z.input` the wire's. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: `/api/v1/${string}`
  readonly access: Access
  /** For a call that players make, too: what an ADMIN needs for it (see `Admission`). */
  readonly asStaff?: StaffAccess
  /** The capabilities of which its parts need some; the command judges that, since it knows the change (rules §4.5). */
  readonly parts?: readonly Capability[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly data: Schema
  readonly isList?: true
  /**
   * With one of these three the answer is a picture, a file to be saved, or text or bytes of this type; `data` is
   * unused, and a refusal is JSON as everywhere.
   */
  readonly isImage?: true
  readonly isFile?: true
  readonly isRaw?: 'text/plain' | 'application/octet-stream'
  /** A money act: it requires an Idempotency-Key header (rules §3). */
  readonly isMoneyAct?: true
  /** An act of staff that needs a second factor of the last minutes, where the account has one (rules §4.10). */
  readonly needsFreshFactor?: true
  /** The body is a file, which may take long to arrive: no other call of the account waits for it. */
  readonly isUpload?: true
  readonly refusals?: readonly RefusalCode[]
  readonly summary: string
}

const noData = z.null()

type Rest = Omit<Endpoint, 'method' | 'path' | 'access' | 'data'>

/** Builds an endpoint, and keeps its own schema types. Where `data` is left out, the answer's is null. */
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
) => ({ method, path, access, data: noData as Schema as D, ...rest })

export type RefusalOf<E extends Endpoint> =
  | SharedRefusal
  | (E extends { readonly refusals: readonly (infer Code extends RefusalCode)[] } ? Code : never)

export const refusalsOf = ({ refusals = [] }: Endpoint): readonly RefusalCode[] => [...SHARED_REFUSALS, ...refusals]
