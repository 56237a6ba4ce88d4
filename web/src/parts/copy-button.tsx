// Puts a text on the clipboard, and says so.
import type { ReactNode } from 'react'
import { toast } from '../shell/toasts.tsx'

export async function copyText(text: string, said = 'Copied.', say = toast): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(said)
  } catch {
    // Only pages of this machine or over HTTPS may use the clipboard.
    say('This browser does not let the page copy. Open it over HTTPS or as 127.0.0.1.')
  }
}

interface CopyButtonProps {
  text: string
  said?: string
  className?: string
  children: ReactNode
}

export function CopyButton({ text, said, className, children }: CopyButtonProps) {
  return (
    <button type="button" className={className} onClick={() => copyText(text, said)}>
      {children}
    </button>
  )
}
