// Copies a text to the clipboard and confirms it with a toast.
import type { ReactNode } from 'react'
import { toast } from './toasts.tsx'

export async function copyText(text: string, message = 'Copied.', notify = toast): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(message)
  } catch {
    // Browsers allow the clipboard only over HTTPS or on localhost.
    notify('The browser blocked copying. Open this page over HTTPS or at 127.0.0.1.')
  }
}

interface CopyButtonProps {
  text: string
  message?: string
  className?: string
  children: ReactNode
}

export function CopyButton({ text, message, className, children }: CopyButtonProps) {
  return (
    <button type="button" className={className} onClick={() => copyText(text, message)}>
      {children}
    </button>
  )
}
