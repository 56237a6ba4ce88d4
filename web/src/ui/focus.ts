// Ref callbacks that act once, when the element mounts.
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}

/** For dialogs that are rendered only while they are open. */
export function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
}
