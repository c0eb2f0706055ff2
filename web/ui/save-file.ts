export function saveFile(name: string, mimeType: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: mimeType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // A browser may read the file after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
