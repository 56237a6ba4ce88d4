// Commands that import a file from a shell or a program. They contain the URL of this service, but never a key.
import { SERVICE_URL } from '../../../state/base-path.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './import.module.css'

function snippetsFor(serviceUrl: string): [label: string, text: string][] {
  return [
    ['Command line', `assay import results.json --url ${serviceUrl}`],
    [
      'curl',
      `curl -H "Authorization: Bearer $ASSAY_KEY" --data-binary @results.json '${serviceUrl}/api/imports?name=results.json'`,
    ],
    [
      'TypeScript',
      `import { openAsBlob } from "node:fs"
import { Assay } from "assay-client"
const assay = new Assay({ baseUrl: "${serviceUrl}/api", key: () => process.env.ASSAY_KEY })
await assay.importFile(await openAsBlob("results.json"), { name: "results.json" })`,
    ],
  ]
}

export function ImportSnippets() {
  return (
    <div className={styles.snippets}>
      {snippetsFor(SERVICE_URL).map(([label, text]) => (
        <div key={label} className={styles.snippet}>
          <span>{label}</span>
          <pre>{text}</pre>
          <CopyButton text={text}>
            Copy<span className="sr-only"> ({label})</span>
          </CopyButton>
        </div>
      ))}
      <p className="muted">
        Set <code>ASSAY_KEY</code> to a key with the write scope:{' '}
        <code>assay keys create --scope read,write</code>
      </p>
    </div>
  )
}
