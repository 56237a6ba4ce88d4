// Empty state of a variant without revisions: a command that adds the first one.

import styles from '../../revisions/header.module.css'
import { CopyButton } from '../../ui/copy-button.tsx'

const EXAMPLE = {
  modified_by: 'me',
  config: { config_name: 'first', parameters: { model: 'a-model', temperature: 0.2 } },
}

export function FirstRevision({ id }: { id: string }) {
  const address = `${location.origin}/api/variants/${encodeURIComponent(id)}/revisions`
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(EXAMPLE)}' \\
  '${address.replaceAll("'", '%27')}'`
  return (
    <div className={styles.gettingStarted}>
      <p>This variant has no revisions yet. To add the first, run this with a write key:</p>
      <pre>{command}</pre>
      <CopyButton text={command} message="Copied. Set ASSAY_KEY to your key.">
        Copy
      </CopyButton>
    </div>
  )
}
