// The decision of the gate over all comparisons of a command, its text in reports, and its exit code.
import { CommandError, Problem } from '../../errors.ts'
import type { Gate, GateDecision } from '../../schema/gate.ts'
import { formatCount } from '../output/progress.ts'
import type { FormatName } from '../output/statistics.ts'

/** Scripts distinguish a candidate that is worse from one that cannot be judged. */
const EXIT_CODES = { failed: 1, invalid: 3 } as const
/** The report lists all of them. */
const MAX_LISTED_REASONS = 3

export interface GateSummary {
  decision: GateDecision
  /** Sentences. */
  reasons: string[]
  /** The names of the evaluators that were not checked. */
  unchecked: string[]
  /** Sentences about members of a family that only one side has. Those that the candidate lacks are reasons, too. */
  missing: string[]
  added: string[]
}

/** A candidate that is worse decides, even if another one cannot be judged. */
const PRECEDENCE: GateDecision[] = ['failed', 'invalid', 'passed']

/** The gates of some candidates, and sentences about evaluations that cannot be compared. */
export function summarizeGates(
  candidates: { name: string; gate: Gate }[],
  missing: string[] = [],
  added: string[] = [],
): GateSummary {
  const decisions = new Set(candidates.map(({ gate }) => gate.decision))
  if (missing.length > 0) decisions.add('invalid')
  const decision = PRECEDENCE.find((each) => decisions.has(each)) ?? 'invalid'
  const reasonsOf = (each: GateDecision) => [
    ...candidates
      .filter(({ gate }) => gate.decision === each)
      .flatMap(({ name, gate }) =>
        gate.reasons.map(({ detail }) => (candidates.length > 1 ? `${name}: ${detail}` : detail)),
      ),
    ...(each === 'invalid' ? missing : []),
  ]
  const reasons = PRECEDENCE.filter((each) => each !== 'passed').flatMap(reasonsOf)
  return {
    decision,
    reasons: decision === 'passed' ? reasonsOf('passed') : reasons,
    unchecked: [...new Set(candidates.flatMap(({ gate }) => gate.unchecked))],
    missing,
    added,
  }
}

/** Whatever prevents a comparison makes the gate invalid, except for wrong usage. */
export async function decideOrInvalidate<Result extends { gate: GateSummary; reports: unknown[] }>(
  compareAll: () => Promise<Result>,
): Promise<Pick<Result, 'gate' | 'reports'>> {
  try {
    return await compareAll()
  } catch (error) {
    const isWrongUsage = error instanceof CommandError && error.exitCode === 2
    if (isWrongUsage || !(error instanceof CommandError || error instanceof Problem)) throw error
    const hint = error instanceof CommandError ? ` ${error.hint}` : ''
    return {
      reports: [],
      gate: {
        decision: 'invalid',
        reasons: [`${error.message}${hint}`],
        unchecked: [],
        missing: [],
        added: [],
      },
    }
  }
}

/** A heading, a list of reasons, and what was not checked. */
export function gateParagraphs(
  { decision, reasons, unchecked, added }: GateSummary,
  formatSentence: FormatName,
  formatName: FormatName,
): { heading: string; list: string; unchecked: string[] } {
  return {
    heading: `Gate ${decision}`,
    list: [...reasons, ...added].map((reason) => `- ${formatSentence(reason)}`).join('\n'),
    unchecked:
      unchecked.length === 0 ? [] : [`Not checked: ${unchecked.map((name) => formatName(name)).join(', ')}.`],
  }
}

/** Throws CommandError unless the gate has passed. */
export function failUnlessPassed({ decision, reasons }: GateSummary): void {
  if (decision === 'passed') return
  const hint =
    decision === 'failed'
      ? 'Set --tolerance, --max-loss or --max-regressed to allow more, or --on EVALUATOR to check only some evaluators.'
      : 'The gate cannot decide. Correct the cause, and run the job again.'
  const hiddenCount = reasons.length - MAX_LISTED_REASONS
  const listed = reasons.slice(0, MAX_LISTED_REASONS).join(' ')
  const others = hiddenCount > 0 ? ` And ${formatCount(hiddenCount)} more.` : ''
  throw new CommandError(`Gate ${decision}. ${listed}${others}`, hint, EXIT_CODES[decision])
}
