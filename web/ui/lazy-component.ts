import { type ElementType, lazy } from 'react'
import { onRetry } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { toast } from './toast.tsx'

/** After this time a fetch that fails online is given up: a new version of the product may have replaced the file. */
const givenUpMs = 30_000

/**
 * Like React's `lazy` for the exported component `name`, but a failed fetch is repeated. React alone would at once
 * replace the whole screen by an error, and the user would lose all text typed there. If the fetch fails after 30 s
 * while there is a network, the error is shown nevertheless, and a reload of the page fetches the new version.
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
