import type * as z from 'zod/mini'
import type { Access } from '#domain/identity/permissions.ts'
import { type RefusalCode, SHARED_REFUSALS, type SharedRefusal } from './refusals.ts'

type Schema = z.ZodMiniType

/** One HTTP call of spec §7 or rules §6. `z.output` of a schema is our side, `z.input` the wire's. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below the API host, with `{name}` for parameters. */
  readonly path: `/api/v1/${string}`
  readonly access: Access
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** What stands in the answer's `data`. */
  readonly data: Schema
  /** A list with `meta` beside `data`. */
  readonly isList?: true
  /** The answer is the bytes of an image, and `data` says nothing; a refusal is JSON as ever. */
  readonly isImage?: true
  /** A money act: it takes an Idempotency-Key header (rules §3). */
  readonly isMoneyAct?: true
  /** Its body is a file, which may take long to arrive: no other call of the account waits for it. */
  readonly isUpload?: true
  /** What this call may be refused with beside the shared refusals. */
  readonly refusals?: readonly RefusalCode[]
  readonly summary: string
}

/** Keeps an endpoint's own schema types while checking its shape. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** Every refusal that this call may answer. */
export type RefusalOf<E extends Endpoint> =
  | SharedRefusal
  | (E extends { readonly refusals: readonly (infer Code extends RefusalCode)[] } ? Code : never)

export const refusalsOf = ({ refusals = [] }: Endpoint): readonly RefusalCode[] => [...SHARED_REFUSALS, ...refusals]
