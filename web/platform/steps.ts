/**
 * Passes each `popstate` event (a step back or forward in the history) to `judge` before the router gets the event. A
 * browser calls listeners in the order in which they were added, so `judge` can keep the event from the router.
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
