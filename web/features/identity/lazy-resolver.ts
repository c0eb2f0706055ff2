import type { FieldValues, Resolver } from 'react-hook-form'
import { commonTexts } from '#web/platform/texts.ts'

/**
 * A resolver that fetches a form's rules after the form is on screen: with the schema library they are 34 KiB. When the
 * fetch fails, the whole form shows an error, and the next submit fetches again.
 */
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
