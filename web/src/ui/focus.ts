// Ref callbacks that act once, when the element mounts.
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}

/** For dialogs that are rendered only while they are open. A form starts in its first field, not on the close button. */
export function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
  dialog?.querySelector<HTMLElement>('form :is(input:not([type="file"]), select, textarea)')?.focus()
}
