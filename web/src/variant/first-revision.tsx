// What stands in place of a history that has not begun: how to add the first revision.
import { CopyButton } from '../parts/copy-button.tsx'
import styles from './variant.module.css'

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
    <div className={styles.first}>
      <p>This variant has no revision yet. With a key that may write, this adds the first:</p>
      <pre>{command}</pre>
      <CopyButton text={command} said="Copied. It takes the key from the variable ASSAY_KEY.">
        Copy
      </CopyButton>
    </div>
  )
}
