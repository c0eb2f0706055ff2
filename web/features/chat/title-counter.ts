/** The count before the page's title, such as `(3) `. The router writes titles too, so it is added again after it. */
const prefix = /^\(\d+\+?\) /

let shownCount = 0
let observer: MutationObserver | undefined

function write(): void {
  const bare = document.title.replace(prefix, '')
  const title = shownCount > 0 ? `(${shownCount > 99 ? '99+' : shownCount}) ${bare}` : bare
  if (document.title !== title) document.title = title
}

/** Shows the number of unread messages in the browser tab's title; 0 removes it. */
export function showInTitle(count: number): void {
  shownCount = count
  write()
  const element = document.querySelector('title')
  if (observer !== undefined || element === null) return
  observer = new MutationObserver(write)
  observer.observe(element, { childList: true })
}
