import '#web/platform/zod.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { FieldValues, Resolver } from 'react-hook-form'
import type * as z from 'zod/mini'

/** A form's rules for react-hook-form, with the types that the schema reads and gives. */
export function resolverOf<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return standardSchemaResolver<Input, unknown, Output>(schema)
}
