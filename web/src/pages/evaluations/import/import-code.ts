// Code that imports a file, per language.
export const IMPORT_EXAMPLES = [
  { value: 'python', label: 'Python' },
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'command', label: 'Command line' },
] as const

export type ImportLanguage = (typeof IMPORT_EXAMPLES)[number]['value']

export function importCode(language: ImportLanguage, serviceUrl: string): string {
  switch (language) {
    case 'python':
      return `from assay_client import Client

client = Client("${serviceUrl}")
client.import_file("results.json")

# Or from a pandas or polars DataFrame:
client.log("nightly", df, id="case_id", inputs=["question"],
           output="answer", expected="expected", scores=["correct"])`
    case 'curl':
      return `curl -H "Authorization: Bearer $ASSAY_KEY" --data-binary @results.json '${serviceUrl}/api/imports?name=results.json'`
    case 'typescript':
      return `import { openAsBlob } from "node:fs"
import { Assay } from "assay-client"

const assay = new Assay({ baseUrl: "${serviceUrl}/api", key: () => process.env.ASSAY_KEY })
await assay.importFile(await openAsBlob("results.json"), { name: "results.json" })`
    case 'command':
      return `assay import results.json --url ${serviceUrl}`
  }
}
