/**
 * The first listener to the page's steps through its history. A browser calls a window's listeners in the order in
 * which they were added: this one is added before the router's, and can keep a step from it.
 */

let judge: ((event: PopStateEvent) => void) | undefined
let isFollowing = false

/** Called before the router is made. */
export function followSteps(): void {
  if (isFollowing) return
  isFollowing = true
  globalThis.addEventListener('popstate', (event) => judge?.(event))
}

export function judgeSteps(next: (event: PopStateEvent) => void): void {
  followSteps()
  judge = next
}
