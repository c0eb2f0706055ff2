/** Refuses files that are dropped beside a field for files: the browser would open them in place of this page. */
export function refuseStrayDrops(): void {
  addEventListener('dragover', (event) => {
    // A field for files has taken the event (web/ui/use-file-drop.ts). A dragged text may be dropped into any field.
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
}
