/** The count before the page's title, as `(3) `. The router writes titles too, so that the count is put back after it. */
const prefix = /^\(\d+\+?\) /

let shownCount = 0
let observer: MutationObserver | undefined

function write(): void {
  const bare = document.title.replace(prefix, '')
  const title = shownCount > 0 ? `(${shownCount > 99 ? '99+' : shownCount}) ${bare}` : bare
  if (document.title !== title) document.title = title
}

/** Shows how many messages are unread in the browser's tab; 0 takes the count away. */
export function showInTitle(count: number): void {
  shownCount = count
  write()
  const element = document.querySelector('title')
  if (observer !== undefined || element === null) return
  observer = new MutationObserver(write)
  observer.observe(element, { childList: true })
}
