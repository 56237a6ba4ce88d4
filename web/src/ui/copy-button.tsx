// Copies a text to the clipboard and confirms it with a toast.
import { Button, type ButtonProps } from './button.tsx'
import { toast } from './messages/toasts.tsx'

export async function copyText(text: string, message = 'Copied.', notify = toast): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(message)
  } catch {
    // Browsers allow the clipboard only over HTTPS or on localhost.
    notify('The browser blocked copying. Open this page over HTTPS or at 127.0.0.1.')
  }
}

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'className' | 'children'> {
  text: string
  message?: string
}

export function CopyButton({ text, message, ...look }: CopyButtonProps) {
  return <Button size="small" {...look} onClick={() => copyText(text, message)} />
}
