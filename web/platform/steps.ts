/**
 * Passes each step through the page's history (back or forward) to `judge` before the router sees the event. A browser
 * calls listeners in the order in which they were added, so `judge` can stop an event before the router's listener.
 */

let judge: ((event: PopStateEvent) => void) | undefined
let isFollowing = false

/** Adds the listener. Call this function before the router is made. */
export function followSteps(): void {
  if (isFollowing) return
  isFollowing = true
  globalThis.addEventListener('popstate', (event) => judge?.(event))
}

export function judgeSteps(next: (event: PopStateEvent) => void): void {
  followSteps()
  judge = next
}
