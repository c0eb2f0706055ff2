/**
 * Decides about steps through the page's history before the router sees them. A browser calls listeners in the order in
 * which they were added: this one is added before the router's, so it can keep a step from the router.
 */

let judge: ((event: PopStateEvent) => void) | undefined
let isFollowing = false

/** Adds the listener. It has to be called before the router is made. */
export function followSteps(): void {
  if (isFollowing) return
  isFollowing = true
  globalThis.addEventListener('popstate', (event) => judge?.(event))
}

export function judgeSteps(next: (event: PopStateEvent) => void): void {
  followSteps()
  judge = next
}
