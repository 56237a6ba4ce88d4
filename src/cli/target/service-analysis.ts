// Reads breakdowns and agreements of a service. The texts are exact, unlike parsed numbers.
import type { Assay } from 'assay-client'
import { toUsageError } from './service-errors.ts'

/** Throws UsageError if the evaluation cannot be grouped this way, and errors of the client. */
export function readBreakdown(
  assay: Assay,
  id: string,
  by: string,
  baseline: string | undefined,
): Promise<string> {
  return readText(assay, ['evaluations', id, 'breakdown'], {
    by,
    ...(baseline !== undefined && { base: baseline }),
  })
}

/** Throws UsageError if the evaluation does not have the evaluators, and errors of the client. */
export function readAgreement(assay: Assay, id: string, evaluator: string, other: string): Promise<string> {
  return readText(assay, ['evaluations', id, 'agreement'], { evaluator, with: other })
}

async function readText(assay: Assay, path: string[], query: Record<string, string>): Promise<string> {
  try {
    return await (await assay.read(path, query)).text()
  } catch (error) {
    throw toUsageError(error)
  }
}
