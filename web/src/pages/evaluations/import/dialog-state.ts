// Whether the import dialog is open. It opens with the first upload, also if the user drops files on the page.
import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

export const openImportDialog = () => setIsOpen(true)
export const closeImportDialog = () => setIsOpen(false)

export function useIsImportDialogOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}

function setIsOpen(value: boolean): void {
  isOpen = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
