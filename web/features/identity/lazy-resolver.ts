import type { FieldValues, Resolver } from 'react-hook-form'
import { commonTexts } from '#web/platform/texts.ts'

/** Fetches a form's rules (34 KiB with the schema library) after the form is on screen; each submit retries a failed fetch. */
export function lazyResolver<Input extends FieldValues, Output>(
  load: () => Promise<{ readonly resolver: Resolver<Input, unknown, Output> }>,
): Resolver<Input, unknown, Output> {
  return async (...args) => {
    let rules: Awaited<ReturnType<typeof load>>
    try {
      rules = await load()
    } catch {
      return {
        values: {},
        errors: { root: { server: { type: 'load', message: commonTexts.serverUnreachable } } },
      } as never
    }
    return rules.resolver(...args)
  }
}
