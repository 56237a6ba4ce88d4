// Benchmark: how often the intervals of comparisons contain the true change, and how often equal evaluations seem to differ.
// npm run bench -- verdicts [SAMPLES]. Exits with 1 if a limit is missed.
import { verdictInterval } from '../../src/store/statistics/verdict-interval.ts'
import { createRandom } from '../data.ts'
import { JUDGED_SIZES, judgeScenarios, simulateCorrectedRate } from './corrected-simulation.ts'
import { changeGrid, exactCoverage, summarizeGrid } from './exact-coverage.ts'
import { EQUAL_MODELS, ONE_BETTER, ONE_BETTER_INDEPENDENT, simulateRanks } from './rank-simulation.ts'
import { NUMBER_SCENARIOS, RATE_SCENARIOS, type Repeats, VERDICT_SCENARIOS } from './scenarios.ts'
import { type Simulation, simulateNumbers, simulateRates, simulateVerdicts } from './simulation.ts'

export const ROWS = [6, 10, 20, 50, 300]
/** The levels of breakdowns with so many groups. */
const GROUPS = [1, 2, 12, 50, 201]
const REPEATS: Repeats[] = [3, 10, 'mixed']
const SAMPLES = 10_000
const SEED = 20_261_118
const WIDTH_SCENARIO = '5 % break, others flaky at 90 %'

/** In percent. */
export const LIMITS = { coverage: 94, falseAlarms: 5.5, alone: 80 }

/** Missed limits. */
const missed: string[] = []

export async function verdicts([samples = String(SAMPLES)]: string[]): Promise<void> {
  printVerdicts()
  printGroups()
  const simulation = { random: createRandom(SEED), samples: Number(samples) }
  printRepeats(simulation)
  printNumbers(simulation)
  printRates(simulation)
  printRanks(simulation)
  printCorrectedRates(simulation)
  print(missed.length === 0 ? '\nAll limits are met.' : `\nMissed limits:\n${missed.join('\n')}`)
  if (missed.length > 0) process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function check(name: string, { coverage, falseAlarms }: { coverage: number; falseAlarms?: number }): void {
  if (100 * coverage < LIMITS.coverage) missed.push(`${name}: coverage ${percent(coverage)} %`)
  if (falseAlarms !== undefined && 100 * falseAlarms > LIMITS.falseAlarms)
    missed.push(`${name}: false alarms ${percent(falseAlarms)} %`)
}

/** The probabilities that a row becomes higher or lower, for the widths in the table. */
const WIDTHS: [number, number][] = [
  [0, 0.05],
  [0.05, 0.1],
  [0.2, 0.2],
]

function printVerdicts(): void {
  print('\nVerdicts without repeats, enumerated\n')
  print(
    '| rows | lowest coverage | false alarms | width at 0/5 % | at 5/10 % | at 20/20 % | coverage if 5 % break |',
  )
  print('|---|---|---|---|---|---|---|')
  for (const n of [...ROWS, 100].sort((a, b) => a - b)) {
    const coverageOf = exactCoverage(n, (rows, higher, lower) =>
      verdictInterval({ n: rows, higher, lower }, 0.95),
    )
    const summary = summarizeGrid(coverageOf, changeGrid(n, n > 50 ? 10 : 20))
    check(`${n} verdicts`, summary)
    const widths = WIDTHS.map(([higher, lower]) => percent(coverageOf(higher, lower).width))
    const { coverage } = coverageOf(0, 0.05)
    print(
      `| ${n} | ${percent(summary.coverage)} % | ${percent(summary.falseAlarms)} % | ${widths.join(' | ')} | ${percent(coverage)} % |`,
    )
  }
}

/** With m groups the error is divided by m. The table shows the error as a multiple of it: at most 1.2 is like 94 % at 95 %. */
const MAX_ERROR_RATIO = 1.2

function printGroups(): void {
  printHeader('Errors at the levels of groups, as multiples of 5 % / groups')
  for (const groups of GROUPS) {
    const error = 0.05 / groups
    const ratios = ROWS.map((n) => {
      const coverageOf = exactCoverage(n, (rows, higher, lower) =>
        verdictInterval({ n: rows, higher, lower }, 1 - error),
      )
      const ratio = (1 - summarizeGrid(coverageOf, changeGrid(n, 10)).coverage) / error
      if (ratio > MAX_ERROR_RATIO) missed.push(`${groups} groups of ${n} rows: ${ratio.toFixed(2)}`)
      return ratio.toFixed(2)
    })
    printRow(groups === 1 ? 'no groups' : `${groups} groups`, ratios)
  }
}

/** A row of a table, with one cell per number of rows. */
function printRow(name: string, cells: string[]): void {
  print(`| ${name} | ${cells.join(' | ')} |`)
}

function printHeader(title: string): void {
  print(`\n${title}\n`)
  printRow(
    '',
    ROWS.map((n) => `${n} rows`),
  )
  print(`|---|${ROWS.map(() => '---|').join('')}`)
}

type Sizes = Omit<Simulation, 'n'>

function printRepeats(sizes: Sizes): void {
  printHeader('Verdicts with repeats, simulated')
  for (const repeats of REPEATS) {
    const summaries = ROWS.map((n) => {
      const summary = { coverage: 1, falseAlarms: 0, width: 0 }
      for (const scenario of VERDICT_SCENARIOS) {
        const { coverage, significant, width } = simulateVerdicts({ ...sizes, n }, scenario, repeats)
        const falseAlarms = scenario.change === 0 ? significant : 0
        check(`${scenario.name}, ${describe(repeats)}, ${n} rows`, { coverage, falseAlarms })
        summary.coverage = Math.min(summary.coverage, coverage)
        summary.falseAlarms = Math.max(summary.falseAlarms, falseAlarms)
        if (scenario.name === WIDTH_SCENARIO) summary.width = width
      }
      return summary
    })
    const row = (name: string, statistic: keyof (typeof summaries)[number]) =>
      printRow(
        `${describe(repeats)}: ${name}`,
        summaries.map((summary) => `${percent(summary[statistic])} %`),
      )
    row('lowest coverage', 'coverage')
    row('highest rate of false alarms', 'falseAlarms')
    row(`mean width if ${WIDTH_SCENARIO}`, 'width')
  }
}

function printNumbers(sizes: Sizes): void {
  printHeader('Numbers, simulated: coverage, and false alarms if nothing changes')
  for (const [kind, scenarios] of Object.entries(NUMBER_SCENARIOS)) {
    for (const scenario of scenarios) {
      const cells = ROWS.map((n) => {
        const { coverage, significant } = simulateNumbers({ ...sizes, n }, scenario)
        const falseAlarms = scenario.change === 0 ? significant : 0
        if (kind === 'normal') check(`${scenario.name}, ${n} rows`, { coverage, falseAlarms })
        return scenario.change === 0
          ? `${percent(coverage)} %, ${percent(falseAlarms)} %`
          : `${percent(coverage)} %`
      })
      printRow(scenario.name, cells)
    }
  }
}

function printRates(sizes: Sizes): void {
  printHeader('Pass rates of one evaluation, simulated: lowest coverage')
  for (const repeats of [1, ...REPEATS] as Repeats[]) {
    const cells = ROWS.map((n) => {
      const coverages = RATE_SCENARIOS.map((scenario) => {
        const { coverage } = simulateRates({ ...sizes, n }, scenario, repeats)
        check(`${scenario.name}, ${describe(repeats)}, ${n} rows`, { coverage })
        return coverage
      })
      return `${percent(Math.min(...coverages))} %`
    })
    printRow(describe(repeats), cells)
  }
}

function describe(repeats: Repeats): string {
  return repeats === 'mixed' ? '1 to 10 repeats' : repeats === 1 ? 'no repeats' : `${repeats} repeats`
}

function printRanks(simulation: Omit<Simulation, 'n'>): void {
  print('\nLeaderboards of ten models, simulated\n')
  print('| models | rows | any order claimed | best one alone in first place |')
  print('|---|---|---|---|')
  for (const scenario of EQUAL_MODELS) {
    const { ordered } = simulateRanks(simulation, scenario)
    print(`| equal, ${scenario.name} | ${scenario.rows} | ${percent(ordered)} % | |`)
    if (100 * ordered > LIMITS.falseAlarms) missed.push(`${scenario.name}: order ${percent(ordered)} %`)
  }
  for (const scenario of [ONE_BETTER, ...ONE_BETTER_INDEPENDENT]) {
    const { alone } = simulateRanks(simulation, scenario)
    print(`| one 10 points better, ${scenario.name} | ${scenario.rows} | | ${percent(alone)} % |`)
    if (scenario === ONE_BETTER && 100 * alone < LIMITS.alone)
      missed.push(`${scenario.name}: alone ${percent(alone)} %`)
  }
}

function printCorrectedRates({ random, samples }: Sizes): void {
  print('\nCorrected pass rates, simulated with five judges and three pass rates\n')
  print(
    '| judged rows | lowest coverage | of the rate of infinitely many rows | mean width | largest bias | of the judge |',
  )
  print('|---|---|---|---|---|---|')
  for (const size of JUDGED_SIZES) {
    const [judged, rows] = size
    const results = judgeScenarios(size).map((scenario) => simulateCorrectedRate(random, samples, scenario))
    const coverage = Math.min(...results.map((result) => result.coverage))
    const population = Math.min(...results.map((result) => result.populationCoverage))
    check(`${judged} judged of ${rows} rows`, { coverage })
    const width = results.reduce((sum, result) => sum + result.width, 0) / results.length
    const largest = (errors: number[]) => percent(Math.max(...errors.map(Math.abs)))
    const bias = largest(results.map((result) => result.bias))
    const judgeError = largest(results.map((result) => result.judgeError))
    print(
      `| ${judged} of ${rows} | ${percent(coverage)} % | ${percent(population)} % | ${percent(width)} | ${bias} | ${judgeError} |`,
    )
  }
}
