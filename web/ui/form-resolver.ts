import '#web/platform/zod.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { FieldValues, Resolver } from 'react-hook-form'
import type * as z from 'zod/mini'

/** A schema as the resolver of a react-hook-form form, with the schema's input and output types. */
export function resolverOf<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return standardSchemaResolver<Input, unknown, Output>(schema)
}
