// The reasons of the regression gate as sentences. The page, the command line and the clients show them.
import type { RowClassCounts } from '../../schema/comparisons.ts'
import type { GateCheck, GateReason, GateReasonCode } from '../../schema/gate.ts'
import { MIN_ROWS } from '../statistics/paired-differences.ts'

function createReason(code: GateReasonCode, detail: string, evaluator: string | null = null): GateReason {
  return { code, evaluator, detail }
}

export function certain(check: GateCheck, classes: RowClassCounts, tolerance: number): GateReason {
  const { name, loss, interval, n } = check
  const amount = formatAmount(loss ?? 0, check)
  const allowed = tolerance > 0 ? `, more than the tolerance of ${formatAmount(tolerance, check)}` : ''
  const detail = interval
    ? `observed loss ${amount}, true loss at least ${formatAmount(interval[0] as number, check, 'down')}${allowed}. ${describeRows(check, classes)}.`
    : `all ${n} rows lost ${amount}${allowed}.`
  return createReason('certain', `'${name}' is certainly worse: ${detail}`, name)
}

export function observedLoss(check: GateCheck, classes: RowClassCounts, limit: number): GateReason {
  const { name, loss } = check
  const amounts = `${formatAmount(loss ?? 0, check)}, more than ${formatAmount(limit, check)}`
  const detail = `'${name}' is worse: observed loss ${amounts}. It can be chance: ${describeRows(check, classes)}.`
  return createReason('observed-loss', detail, name)
}

export function rowsRegressed({ name }: GateCheck, { regressed }: RowClassCounts, limit: number): GateReason {
  const rows = regressed === 1 ? '1 row' : `${regressed} rows`
  return createReason('rows-regressed', `${rows} regressed on '${name}', more than ${limit}.`, name)
}

export function notWorse(check: GateCheck): GateReason {
  const { name, interval } = check
  const largest = interval?.[1] ?? 0
  const excluded = largest > 0 ? ` by more than ${formatAmount(largest, check, 'up')}` : ''
  return createReason('not-worse', `'${name}' is not worse${excluded}.`, name)
}

export function notExcluded({ name, n }: GateCheck): GateReason {
  const detail =
    n < MIN_ROWS
      ? `'${name}' has too few rows to exclude a loss: ${n} with a score, at least ${MIN_ROWS} are needed.`
      : `'${name}' changed by the same amount in all ${n} rows, so no loss of other rows is excluded.`
  return createReason('not-excluded', detail, name)
}

export function running(id: string): GateReason {
  return createReason('running', `'${id}' is still running.`)
}

export function runFailed(id: string): GateReason {
  return createReason('run-failed', `The run of '${id}' failed, so its results are incomplete.`)
}

export function countDiffers(id: string, count: number, expected: number): GateReason {
  const scenarios = count === 1 ? '1 scenario' : `${count} scenarios`
  return createReason('count-differs', `'${id}' has ${scenarios}, but ${expected} are expected.`)
}

export function rowsMissing(matched: number, rows: number, share: number): GateReason {
  const detail = `Only ${matched} of the ${rows} rows of the baseline are matched, less than ${formatShare(share)}.`
  return createReason('rows-missing', detail)
}

export function rowsDiffer(): GateReason {
  const detail = 'These runs do not have the same rows: most rows with the same id have different inputs.'
  return createReason('rows-differ', detail)
}

export function scoresMissing({ name, n, scored }: GateCheck, id: string): GateReason {
  const detail =
    scored === 0
      ? `'${name}' has no score in the baseline.`
      : `'${name}' scored ${scored} rows in the baseline, but '${id}' has a score for only ${n} of them.`
  return createReason('scores-missing', detail, name)
}

/** `names` are the evaluators with a score in the baseline. */
export function nothingChecked(names: string[]): GateReason {
  const detail =
    names.length === 0
      ? 'No evaluator has a score in the baseline, so nothing is checked.'
      : `Nothing is checked: no evaluator gives verdicts or declares a direction or threshold. Declare one for ${names
          .slice(0, 3)
          .map((name) => `'${name}'`)
          .join(' or ')}, or name the evaluators to check with 'on'.`
  return createReason('nothing-checked', detail)
}

export function unknownEvaluator(name: string, known: string[]): string {
  const available =
    known.length === 0
      ? 'They have no evaluators.'
      : `Available evaluators: ${known.map((each) => `'${each}'`).join(', ')}.`
  return `These evaluations have no evaluator '${name}'. ${available}`
}

export function wrongUnit(rule: string, value: number): string {
  return `'${rule}' is a share of a pass rate: 1 is 100 points, so ${value} allows every loss. Write ${value / 100} for ${value} ${value === 1 ? 'point' : 'points'}.`
}

/** For example `2 of 20 rows regressed, 1 improved`. */
function describeRows({ n }: GateCheck, { regressed, improved, unclear }: RowClassCounts): string {
  const others = [improved > 0 && `${improved} improved`, unclear > 0 && `${unclear} unclear`]
  return [`${regressed} of ${n} rows regressed`, ...others.filter((part) => part !== false)].join(', ')
}

function formatShare(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`
}

/** Points of a pass rate, or a number. Bounds are rounded away from what they claim. */
function formatAmount(amount: number, { is_verdict }: GateCheck, rounding?: 'up' | 'down'): string {
  const points = is_verdict ? 100 * amount : amount
  const digits = is_verdict ? 1 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(points) || 1)))
  const factor = 10 ** Math.min(digits, 300)
  // Removes rounding errors first: 5.000000000000001 is rounded up to 5.
  const scaled = Number((points * factor).toPrecision(12))
  const rounded =
    rounding === 'up' ? Math.ceil(scaled) : rounding === 'down' ? Math.floor(scaled) : Math.round(scaled)
  const text = String(rounded / factor)
  return is_verdict ? `${text} ${text === '1' ? 'point' : 'points'}` : text
}
