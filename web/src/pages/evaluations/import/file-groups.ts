// Groups files that are imported together: the results and the samples of one lm-evaluation-harness run.
import { readTimestamp, SAMPLES_NAME } from '../../../../../src/import/lm-eval/file-names.ts'

/** The file to import, and the files that belong to it. */
type FileGroup = [main: File, ...companions: File[]]

export function groupFiles(files: File[]): FileGroup[] {
  const samplesByResults = new Map<File, File[]>()
  for (const samples of files.filter(({ name }) => SAMPLES_NAME.test(name))) {
    const results = findResults(samples, files)
    if (results) samplesByResults.set(results, [...(samplesByResults.get(results) ?? []), samples])
  }
  const grouped = new Set([...samplesByResults.values()].flat())
  return files
    .filter((file) => !grouped.has(file))
    .map((file): FileGroup => [file, ...(samplesByResults.get(file) ?? [])])
}

/** The only JSON file with the same time in its name. */
function findResults(samples: File, files: File[]): File | undefined {
  const timestamp = readTimestamp(samples.name)
  const candidates = files.filter(
    ({ name }) => timestamp !== undefined && name.endsWith('.json') && readTimestamp(name) === timestamp,
  )
  return candidates.length === 1 ? candidates[0] : undefined
}
