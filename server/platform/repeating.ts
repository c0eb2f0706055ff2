/**
 * Runs `work` at this interval in ms, and skips a turn while the last one is running. Does not keep the process alive.
 * @param onFailure is called when a turn threw; the next one runs all the same
 * @returns a function that stops it and waits for the running turn
 */
export function repeating(
  everyMs: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= work()
      .then(() => {})
      .catch(onFailure)
      .finally(() => {
        running = null
      })
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
