export function saveFile(name: string, mimeType: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: mimeType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the file only after this function has returned, so the URL stays valid for a while.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
