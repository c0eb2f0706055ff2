import { lazy } from 'react'
import { onRetry } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { toast } from './toast.tsx'

/** While the device is online, a fetch that fails for this long will not succeed: a new version may have replaced the file. */
const givenUpMs = 30_000

/**
 * React's `lazy`, whose failed fetch is repeated. React would replace the whole screen by an error, with all that was
 * typed there. After 30 s online it does, and the screen's reload fetches the new version.
 */
export const lazyComponent: typeof lazy = (load) => lazy(() => fetchWithRetries(load))

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
