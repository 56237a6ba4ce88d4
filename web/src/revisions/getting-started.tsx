// Empty state: a command that adds the first variant or revision.
import type { ReactNode } from 'react'
import { SERVICE_URL } from '../state/base-path.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './header.module.css'

interface GettingStartedProps {
  /** The API path that the command posts to. */
  path: string
  example: object
  children: ReactNode
}

export function GettingStarted({ path, example, children }: GettingStartedProps) {
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(example)}' \\
  '${SERVICE_URL}/api/${path.replaceAll("'", '%27')}'`
  return (
    <div className={styles.gettingStarted}>
      <p>{children} run this with a write key:</p>
      <pre>{command}</pre>
      <CopyButton text={command} message="Copied. Set ASSAY_KEY to your key.">
        Copy
      </CopyButton>
    </div>
  )
}
