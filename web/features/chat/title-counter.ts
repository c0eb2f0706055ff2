/** Matches a count such as `(3) ` at the beginning of the title. */
const prefix = /^\(\d+\+?\) /

let shownCount = 0
let observer: MutationObserver | undefined

function write(): void {
  const bare = document.title.replace(prefix, '')
  const title = shownCount > 0 ? `(${shownCount > 99 ? '99+' : shownCount}) ${bare}` : bare
  if (document.title !== title) document.title = title
}

/** Shows the number of unread messages in the title of the browser's tab. No number is shown for 0. */
export function showInTitle(count: number): void {
  shownCount = count
  write()
  const element = document.querySelector('title')
  if (observer !== undefined || element === null) return
  observer = new MutationObserver(write)
  observer.observe(element, { childList: true })
}
