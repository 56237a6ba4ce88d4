// A `ref` for what a person goes on with when a surface has opened. It stays the same, so that it acts only once.
export function focused(element: HTMLElement | null): void {
  element?.focus()
}

/** A `ref` for a dialog that is there only while it is open. */
export function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
}
