// The same import from a shell and from a program, to copy: with the address of this page, and never with a key.
import { CopyButton } from '../parts/copy-button.tsx'
import styles from './import.module.css'

function linesFor(origin: string): [where: string, text: string][] {
  return [
    ['Where Assay runs', 'assay import results.json --data ./data'],
    [
      'From anywhere',
      `curl -H "Authorization: Bearer $ASSAY_KEY" --data-binary @results.json '${origin}/api/imports?name=results.json'`,
    ],
    [
      'TypeScript',
      `import { openAsBlob } from "node:fs"
import { Assay } from "assay-client"
const assay = new Assay({ baseUrl: "${origin}/api", key: () => process.env.ASSAY_KEY })
await assay.importFile(await openAsBlob("results.json"), { name: "results.json" })`,
    ],
  ]
}

export function ImportLines() {
  return (
    <div className={styles.lines}>
      {linesFor(location.origin).map(([where, text]) => (
        <div key={where} className={styles.line}>
          <span>{where}</span>
          <pre>{text}</pre>
          <CopyButton text={text}>
            Copy<span className="unseen"> ({where})</span>
          </CopyButton>
        </div>
      ))}
      <p className="soft">
        <code>ASSAY_KEY</code> is a key that may write: <code>assay keys create --scope read,write</code>{' '}
        prints one.
      </p>
    </div>
  )
}
