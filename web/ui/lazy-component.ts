import { type ElementType, lazy } from 'react'
import { onRetry } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { toast } from './toast.tsx'

/** While the device is online, a fetch that fails for this long will not succeed: a new version may have replaced the file. */
const givenUpMs = 30_000

/**
 * Like React's `lazy` for the component of this name, but a failed fetch is repeated. React alone would replace the
 * whole screen by an error, and all that was typed there would be lost. If the fetch still fails after 30 s online, the
 * error is shown all the same, and a reload of the page fetches the new version.
 */
export const lazyComponent = <Name extends string, Module extends Readonly<Record<Name, Exclude<ElementType, string>>>>(
  load: () => Promise<Module>,
  name: Name,
) => lazy(async () => ({ default: (await fetchWithRetries(load))[name] }))

async function fetchWithRetries<Part>(load: () => Promise<Part>): Promise<Part> {
  const begunAtMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await load()
    } catch (error) {
      if (navigator.onLine && performance.now() - begunAtMs >= givenUpMs) throw error
      if (tries === 1) toast.error(commonTexts.serverUnreachable)
      await nextTry()
    }
  }
}

const nextTry = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = onRetry(() => {
      stop()
      resolve()
    })
  })
