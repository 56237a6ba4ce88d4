// Reads one evaluation with its scenarios, both of the same version.
import type { Assay } from 'assay-client'
import { CommandError } from '../../errors.ts'

/** How often an export starts again because the evaluation has changed between its two requests. */
const MAX_ATTEMPTS = 5

/** The text of an evaluation and the response with its scenarios, both of the same version. */
export async function readEvaluation(
  assay: Assay,
  id: string,
): Promise<{ evaluation: string; scenarios: Response }> {
  for (let attempt = 1; ; attempt++) {
    const query = { include: 'extra,has_generated_id', format: 'ndjson' }
    const scenarios = await assay.read(['evaluations', id, 'evaluation_scenarios'], query)
    const response = await assay.read(['evaluations', id])
    const evaluation = await response.text()
    if (versionOf(scenarios) === versionOf(response)) return { evaluation, scenarios }
    await scenarios.body?.cancel()
    if (attempt === MAX_ATTEMPTS)
      throw new CommandError(
        `The evaluation '${id}' changes while it is read.`,
        'Try again when nothing writes to it.',
      )
  }
}

/** The version of the evaluation: the ETag without its format and encoding. */
function versionOf({ headers }: Response): string | undefined {
  return /^"(.+)-(?:nd)?json\d+(?:-\w+)?"$/.exec(headers.get('etag') ?? '')?.[1]
}
