// What stands in place of an empty list of variants: how to add the first.
import { CopyButton } from '../parts/copy-button.tsx'
import shared from '../variant/variant.module.css'

export function FirstVariant() {
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ id: 'my-variant', name: 'My variant' })}' '${location.origin}/api/variants'`
  return (
    <div className={shared.first}>
      <p>
        There is no variant yet. A variant is what is evaluated: a prompt with its model and settings,
        revision by revision. With a key that may write, this adds one:
      </p>
      <pre>{command}</pre>
      <CopyButton text={command} said="Copied. It takes the key from the variable ASSAY_KEY.">
        Copy
      </CopyButton>
    </div>
  )
}
