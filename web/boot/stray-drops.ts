/** Refuses files that are dropped outside a field for files: the browser would open them in place of this page. */
export function refuseStrayDrops(): void {
  addEventListener('dragover', (event) => {
    // Skip events that a field for files has handled (web/ui/use-file-drop.ts), and dragged texts.
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
}
