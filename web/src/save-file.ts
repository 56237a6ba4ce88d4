// Hands a file to the browser, which saves it.

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser takes it up in its own time.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
