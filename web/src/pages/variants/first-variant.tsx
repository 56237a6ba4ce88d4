// Empty state of the list of variants: a command that adds the first one.

import shared from '../../revisions/header.module.css'
import { CopyButton } from '../../ui/copy-button.tsx'

export function FirstVariant() {
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ id: 'my-variant', name: 'My variant' })}' '${location.origin}/api/variants'`
  return (
    <div className={shared.gettingStarted}>
      <p>
        There are no variants yet. A variant is what you evaluate: a prompt with its model and settings, in
        revisions. To add one, run this with a write key:
      </p>
      <pre>{command}</pre>
      <CopyButton text={command} message="Copied. Set ASSAY_KEY to your key.">
        Copy
      </CopyButton>
    </div>
  )
}
