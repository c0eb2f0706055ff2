/**
 * The first listener to the steps that a page takes through its history. A browser calls the listeners of a window in
 * the order in which they were added, so this one is added before the router's, and can keep a step from it.
 */

let judge: ((event: PopStateEvent) => void) | undefined
let isFollowing = false

/** Called before the router is made. */
export function followSteps(): void {
  if (isFollowing) return
  isFollowing = true
  globalThis.addEventListener('popstate', (event) => judge?.(event))
}

/** Registers the function that judges each step first, in place of the one before. */
export function judgeSteps(next: (event: PopStateEvent) => void): void {
  followSteps()
  judge = next
}
