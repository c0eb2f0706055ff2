import { type ElementType, lazy } from 'react'
import { onRetry } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { toast } from './toast.tsx'

const givenUpMs = 30_000

/**
 * Like React's `lazy` for the exported component `name`, but retries a failed fetch: React would replace the screen by
 * an error, and text typed there would be lost. Throws if the fetch still fails after 30 s although the browser reports
 * a network: a new version may have replaced the file, and a reload fetches that version.
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
