/**
 * Does `work` every so many ms, and leaves out a turn while the last one is not over. Keeps no process alive.
 * @param onFailure is told of a turn that threw; the next one comes all the same
 * @returns what stops it and waits for the turn that is under way
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
