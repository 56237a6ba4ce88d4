// Empty state: a command that adds the first variant or revision.
import type { ReactNode } from 'react'
import { SERVICE_URL } from '../state/base-path.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import styles from './header.module.css'

interface GettingStartedProps {
  title: string
  /** The API path that the command posts to. */
  path: string
  example: object
  children: ReactNode
}

export function GettingStarted({ title, path, example, children }: GettingStartedProps) {
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(example)}' \\
  '${SERVICE_URL}/api/${path.replaceAll("'", '%27')}'`
  return (
    <MessageBlock
      title={title}
      actions={
        <CopyButton text={command} message="Copied. Set ASSAY_KEY to your key.">
          Copy command
        </CopyButton>
      }
    >
      <p>{children}</p>
      <pre className={styles.command}>{command}</pre>
    </MessageBlock>
  )
}
