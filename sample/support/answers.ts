// What each revision of support-answer replies: the same facts, in the manner that its prompt asks for.
import { fill, tokenCount } from '../prose.ts'
import { type Random, randomFrom } from '../random.ts'
import type { Manner, Outcome, Plan } from './plan.ts'
import type { TestRow } from './test-set.ts'

export interface Answer {
  text: string
  /** The section it cites, real or not; null: none. */
  cited: string | null
  isCut: boolean
}

export function answerOf(plan: Plan, row: TestRow, outcome: Outcome): Answer {
  const random = randomFrom(`answer ${plan.revision} ${row.id}`)
  if (outcome === 'empty') return { text: '', cited: null, isCut: false }
  if (outcome === 'wrong' && mistakeOf(plan, row).isBare) {
    return { text: mistakeOf(plan, row).text, cited: null, isCut: false }
  }
  const cited = citation(plan, row, outcome, random)
  const draft = plan.manner(row, coreOf(plan, row, outcome), outcome, cited ? ` [${cited}]` : '', random)
  const text = fill(draft, row.slots)
  const cut = cutAt(text, plan.maxTokens)
  return { text: cut, cited: cut.includes('§') ? cited : null, isCut: cut !== text }
}

function coreOf(plan: Plan, row: TestRow, outcome: Outcome): string {
  const { written } = row
  if (outcome === 'english') return written.english as string
  if (outcome === 'wrong') return mistakeOf(plan, row).text
  if (outcome === 'deflects') return randomFrom(`deflection ${row.id}`).pick(DEFLECTIONS)
  const { answer, plain = answer, brief = plain } = written
  return { full: answer, plain, brief }[plan.wording]
}

const DEFLECTIONS = [
  'I have no rule for that here. Please see larkfell.example/returns, or shall I ask a colleague?',
  'That is described at larkfell.example/returns. If it leaves a question open, I can ask a colleague.',
  'I am not sure about this one and would rather not guess. May I ask a colleague and come back to you?',
]

/** Without the section in the prompt a model invents; with it, it misreads. */
export function mistakeOf(plan: Plan, row: TestRow) {
  return plan.lacks.includes(row.topic)
    ? (row.written.wrong.at(-1) ?? row.written.wrong[0])
    : row.written.wrong[0]
}

function citation(plan: Plan, row: TestRow, outcome: Outcome, random: Random): string | null {
  if (plan.lacks.includes(row.topic)) {
    return outcome === 'wrong' && random.chance(0.2) ? `${row.topic} §${random.integer(8, 11)}` : null
  }
  return random.chance(plan.citesOften) ? row.written.cite : null
}

function cutAt(text: string, maxTokens: number): string {
  if (tokenCount(text) <= maxTokens) return text
  let kept = ''
  for (const letter of text) {
    if (tokenCount(kept + letter) > maxTokens) break
    kept += letter
  }
  return kept
}

const GREETINGS = ['Hi {first},', 'Hi {first}!', 'Hello {first},', 'Hey {first},']

export const FAREWELLS = [
  'Anything else, just hit reply.',
  'If something is still unclear, I am happy to help.',
  'Enjoy the outdoors! 🏔️',
  'Have a great day, and happy trails! 🥾',
  'I hope that helps!',
  'Let me know how it goes.',
  'Thank you for shopping with us.',
  'Do write again if you get stuck.',
]

const SIGNATURE = 'The Larkfell team'

/** Long and friendly, with a farewell: revision 3. */
export const chatty: Manner = ({ written, question }, core, outcome, cite, random) => {
  if (written.language && outcome !== 'english')
    return `${withCitation(written.brief ?? core, cite)}\n\n${SIGNATURE}`
  const farewell = `${random.pick(FAREWELLS)}\n\n${SIGNATURE}`
  const next = outcome === 'right' ? written.next : undefined
  return paragraphs(
    random.pick(GREETINGS),
    withCitation(withLead(question.lead, core), cite),
    next ? `${next} ${farewell}` : farewell,
  )
}

/** Polite and to the point: revision 4. */
export const polite: Manner = ({ written, question }, core, outcome, cite, random) => {
  if (written.language && outcome !== 'english') return `${withCitation(core, cite)}\n\n${SIGNATURE}`
  const lead = random.chance(0.6) ? question.lead : undefined
  const body = withCitation(withLead(lead, core), cite)
  const next = outcome === 'right' ? written.next : undefined
  return paragraphs('Hello {first},', body, next, SIGNATURE)
}

/** Only the fact: revision 5. */
export const terse: Manner = (_row, core, _outcome, cite) => withCitation(core, cite)

/** The fact, and the next step where there is room: revision 6. */
export const concise: Manner = ({ written }, core, outcome, cite, random) => {
  const body = withCitation(core, cite)
  if (outcome !== 'right' || !written.brief || !written.next || random.chance(0.35)) return body
  return `${body} ${written.next}`
}

function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n')
}

function withLead(lead: string | undefined, core: string): string {
  if (!lead) return core
  return /^(1\. |Here (is|are)|Our workshop charges)/.test(core) ? `${lead}\n\n${core}` : `${lead} ${core}`
}

/** After the last sentence, or below it where the text ends in a list, a table or code. */
function withCitation(core: string, cite: string): string {
  const lastLine = core.slice(core.lastIndexOf('\n') + 1)
  return /^(- |\||\d+\. |```)/.test(lastLine) ? `${core}\n\n${cite.trim()}`.trim() : core + cite
}
