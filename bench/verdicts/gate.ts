// Benchmark: how often the regression gate fails without a true loss, and how often it misses one.
// npm run bench -- gate [SAMPLES]. Exits with 1 if a limit is missed.
import type { GateRules } from '../../src/schema/gate.ts'
import { createRandom } from '../data.ts'
import { createGateSimulation, type FailureRates, rateOfGate } from './gate-simulation.ts'
import { lossScenario, VERDICT_SCENARIOS, type VerdictScenario } from './scenarios.ts'

const ROWS = [10, 20, 50, 100, 300]
/** Numbers of checked evaluators. */
const CHECKED = [1, 5, 20]
const REPEATS = [1, 3]
/** Shares of rows that differ between two equal evaluations without repeats. */
const FLIPS = [0.05, 0.1, 0.2]
const LOSSES = [0.05, 0.1, 0.2]
/** The share of rows that flip while others break. */
const LOSS_FLIPS = 0.1
const SAMPLES = 20_000
const SEED = 20_261_118

/** The largest share of false alarms whose reason is `certain`, in percent. */
export const CERTAIN_LIMIT = 5.5

/** A `max_loss` of 0.5 disables it in practice. */
const RULES = {
  default: {},
  maxLoss10: { max_loss: 0.1 },
  certain: { max_loss: 0.5 },
  tolerance2: { max_loss: 0.5, tolerance: 0.02 },
} satisfies Record<string, GateRules>
type RuleName = keyof typeof RULES
const RULE_NAMES = Object.keys(RULES) as RuleName[]

/** `max_loss` does not change what is certain. */
const LIMITED_RULES: RuleName[] = ['default', 'tolerance2']

/** Rates of one evaluator, by number of checked evaluators. */
type Rates = Record<RuleName, FailureRates>[]

interface Measured {
  n: number
  repeats: number
  scenario: VerdictScenario
  rates: Rates
}

const EQUAL = FLIPS.map((flips) => lossScenario(0, flips))
const OTHER_EQUAL = VERDICT_SCENARIOS.filter(({ change }) => change === 0)
const LOST = LOSSES.map((loss) => lossScenario(loss, 0))
const LOST_AND_RANDOM = LOSSES.map((loss) => lossScenario(loss, LOSS_FLIPS))

/** A table of false alarms or misses, with one line per number of rows and one column per scenario and number of repeats. */
interface Table {
  title: string
  rules: RuleName
  scenarios: VerdictScenario[]
  columns: string[]
  rateOf(rates: FailureRates, checked: number): number
}

const falseAlarms = {
  scenarios: EQUAL,
  columns: FLIPS.map((share) => `${100 * share} % flip`),
}
const certain = (rates: FailureRates, checked: number) => rateOfGate(rates, checked).certain
const observedLoss = (rates: FailureRates, checked: number) => rateOfGate(rates, checked).observedLoss
const misses = {
  columns: LOSSES.map((loss) => `${100 * loss} points`),
  rateOf: (rates: FailureRates) => Math.max(0, 1 - rates.certain - rates.observedLoss),
}
const randomMisses = { ...misses, scenarios: LOST_AND_RANDOM }
const missTitle = `Misses, ${100 * LOSS_FLIPS} % of the rows flip`

const TABLES: Table[] = [
  { ...falseAlarms, title: 'False alarms, certain', rules: 'default', rateOf: certain },
  { ...falseAlarms, title: 'False alarms, observed loss', rules: 'default', rateOf: observedLoss },
  {
    ...falseAlarms,
    title: 'False alarms, observed loss, --max-loss 0.1',
    rules: 'maxLoss10',
    rateOf: observedLoss,
  },
  { ...falseAlarms, title: 'False alarms, certain, --tolerance 0.02', rules: 'tolerance2', rateOf: certain },
  { ...misses, title: 'Misses, nothing else changes', rules: 'default', scenarios: LOST },
  { ...randomMisses, title: missTitle, rules: 'default' },
  { ...randomMisses, title: `${missTitle}, --max-loss 0.1`, rules: 'maxLoss10' },
  { ...randomMisses, title: `${missTitle}, --max-loss 0.5`, rules: 'certain' },
]

export async function gate([samples = String(SAMPLES)]: string[]): Promise<void> {
  const measured = simulate(Number(samples))
  print(`${samples} comparisons per cell. Percent, with ${CHECKED.join(' / ')} checked evaluators.`)
  for (const table of TABLES) printTable(table, measured)
  const alarms = listCertainAlarms(measured)
  print(`\nThe most false alarms that are certain, of ${alarms.length} cells: ${alarms[0]?.name}`)
  const missed = alarms.filter(({ rate }) => 100 * rate > CERTAIN_LIMIT)
  print(
    missed.length === 0
      ? 'The limit is met.'
      : `Missed limits:\n${missed.map(({ name }) => name).join('\n')}`,
  )
  if (missed.length > 0) process.exitCode = 1
}

function simulate(samples: number): Measured[] {
  const random = createRandom(SEED)
  const measured: Measured[] = []
  for (const n of ROWS)
    for (const repeats of REPEATS) {
      const rules = RULE_NAMES.map((name) => RULES[name])
      const rateOf = createGateSimulation({ n, repeats }, CHECKED, rules)
      for (const scenario of [...EQUAL, ...OTHER_EQUAL, ...LOST, ...LOST_AND_RANDOM]) {
        const rates = rateOf(random, samples, scenario).map(
          (each) => Object.fromEntries(RULE_NAMES.map((name, index) => [name, each[index]])) as Rates[number],
        )
        measured.push({ n, repeats, scenario, rates })
      }
    }
  return measured
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function percent(share: number): string {
  const value = 100 * share
  return value.toFixed(value < 9.95 ? 1 : 0)
}

function printTable({ title, rules, scenarios, columns, rateOf }: Table, measured: Measured[]): void {
  print(`\n${title}\n`)
  const names = REPEATS.flatMap((repeats) =>
    columns.map((column) => (repeats === 1 ? column : `${column}, ${repeats} repeats`)),
  )
  print(`| rows | ${names.join(' | ')} |`)
  print(`|---|${names.map(() => '---|').join('')}`)
  const cellOf = ({ rates }: Measured) =>
    CHECKED.map((checked, index) => percent(rateOf(rates[index]?.[rules] as FailureRates, checked))).join(
      ' / ',
    )
  for (const n of ROWS) {
    const cells = measured.filter((each) => each.n === n && scenarios.includes(each.scenario)).map(cellOf)
    print(`| ${n} | ${cells.join(' | ')} |`)
  }
}

/** The rates of false alarms that are certain, the highest first: all kinds of random changes, with and without a tolerance. */
function listCertainAlarms(measured: Measured[]): { rate: number; name: string }[] {
  const alarms = measured
    .filter(({ scenario }) => scenario.change === 0)
    .flatMap(({ n, repeats, scenario, rates }) =>
      CHECKED.flatMap((checked, index) =>
        LIMITED_RULES.map((rules) => {
          const rate = certain(rates[index]?.[rules] as FailureRates, checked)
          const cell = `${scenario.name}, ${n} rows, ${repeats} repeats, ${checked} evaluators, ${rules}`
          return { rate, name: `${(100 * rate).toFixed(2)} % (${cell})` }
        }),
      ),
    )
  return alarms.sort((a, b) => b.rate - a.rate)
}
