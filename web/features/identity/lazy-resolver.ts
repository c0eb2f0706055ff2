import type { FieldValues, Resolver } from 'react-hook-form'
import { commonTexts } from '#web/platform/texts.ts'

/**
 * A form's rules that are fetched after the form is on screen: with the schema library they are 34 KiB. Where they cannot
 * be fetched the form as a whole says so, and the next try fetches again.
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
