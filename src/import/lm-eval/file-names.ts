// The file names of an lm-evaluation-harness run. The page uses them too, to upload the files of a run together.

/** The time of the run, the same in the names of all its files. */
const TIMESTAMP = /_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl?$/
export const SAMPLES_NAME = /^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl$/

export function readTimestamp(name: string): string | undefined {
  return TIMESTAMP.exec(name)?.[1]
}
