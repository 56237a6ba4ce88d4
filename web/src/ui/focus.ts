// Where the focus goes when an element mounts, and whether it is visible.
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}

/** For forms in a menu. */
export function focusFirstControl(form: HTMLElement | null): void {
  form?.querySelector('button')?.focus()
}

/** For dialogs that are rendered only while they are open. A form starts in its first field, not on the close button. */
export function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
  dialog?.querySelector<HTMLElement>('form :is(input:not([type="file"]), select, textarea)')?.focus()
}

/** Marks the document while the pointer is used: browsers also show the focus that a script moves after a click. */
export function trackPointer(): void {
  addEventListener('pointerdown', () => document.documentElement.setAttribute('data-pointer', ''), true)
  addEventListener('keydown', () => document.documentElement.removeAttribute('data-pointer'), true)
}
