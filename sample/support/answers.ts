// Generates the answers of each support-answer revision: the same facts in the style of the revision's prompt.

import { type Random, randomFrom } from '../random.ts'
import { fill, tokenCount } from '../text.ts'
import type { AnswerStyle, Outcome, Plan } from './plan.ts'
import type { TestRow } from './test-set.ts'

export interface Answer {
  text: string
  /** The cited policy section, which may not exist. Null if none is cited. */
  cited: string | null
  isTruncated: boolean
}

export function generateAnswer(plan: Plan, row: TestRow, outcome: Outcome): Answer {
  const random = randomFrom(`answer ${plan.revision} ${row.id}`)
  if (outcome === 'empty') return { text: '', cited: null, isTruncated: false }
  if (outcome === 'wrong' && mistakeOf(plan, row).isBare) {
    return { text: mistakeOf(plan, row).text, cited: null, isTruncated: false }
  }
  const cited = citation(plan, row, outcome, random)
  const template = plan.style(row, mainText(plan, row, outcome), outcome, cited ? ` [${cited}]` : '', random)
  const text = fill(template, row.slots)
  const truncated = truncate(text, plan.maxTokens)
  return { text: truncated, cited: truncated.includes('§') ? cited : null, isTruncated: truncated !== text }
}

function mainText(plan: Plan, row: TestRow, outcome: Outcome): string {
  const { supportCase } = row
  if (outcome === 'english') return supportCase.english as string
  if (outcome === 'wrong') return mistakeOf(plan, row).text
  if (outcome === 'deflects') return randomFrom(`deflection ${row.id}`).pick(DEFLECTIONS)
  const { answer, plain = answer, brief = plain } = supportCase
  return { full: answer, plain, brief }[plan.wording]
}

const DEFLECTIONS = [
  'I have no rule for that here. Please see larkfell.example/returns, or shall I ask a colleague?',
  'That is described at larkfell.example/returns. If it leaves a question open, I can ask a colleague.',
  'I am not sure about this one and would rather not guess. May I ask a colleague and come back to you?',
]

/** The model invents a rule if the section is not in the prompt, otherwise it misreads the section. */
export function mistakeOf(plan: Plan, row: TestRow) {
  return plan.missingTopics.includes(row.topic)
    ? (row.supportCase.wrong.at(-1) ?? row.supportCase.wrong[0])
    : row.supportCase.wrong[0]
}

function citation(plan: Plan, row: TestRow, outcome: Outcome, random: Random): string | null {
  if (plan.missingTopics.includes(row.topic)) {
    return outcome === 'wrong' && random.chance(0.2) ? `${row.topic} §${random.integer(8, 11)}` : null
  }
  return random.chance(plan.citationRate) ? row.supportCase.cite : null
}

function truncate(text: string, maxTokens: number): string {
  if (tokenCount(text) <= maxTokens) return text
  let truncated = ''
  for (const letter of text) {
    if (tokenCount(truncated + letter) > maxTokens) break
    truncated += letter
  }
  return truncated
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

/** Revision 3: long and friendly, with a farewell. */
export const chatty: AnswerStyle = ({ supportCase, question }, core, outcome, cite, random) => {
  if (supportCase.language && outcome !== 'english')
    return `${withCitation(supportCase.brief ?? core, cite)}\n\n${SIGNATURE}`
  const farewell = `${random.pick(FAREWELLS)}\n\n${SIGNATURE}`
  const next = outcome === 'right' ? supportCase.next : undefined
  return paragraphs(
    random.pick(GREETINGS),
    withCitation(withLead(question.lead, core), cite),
    next ? `${next} ${farewell}` : farewell,
  )
}

/** Revision 4: polite and to the point. */
export const polite: AnswerStyle = ({ supportCase, question }, core, outcome, cite, random) => {
  if (supportCase.language && outcome !== 'english') return `${withCitation(core, cite)}\n\n${SIGNATURE}`
  const lead = random.chance(0.6) ? question.lead : undefined
  const body = withCitation(withLead(lead, core), cite)
  const next = outcome === 'right' ? supportCase.next : undefined
  return paragraphs('Hello {first},', body, next, SIGNATURE)
}

/** Revision 5: only the fact. */
export const terse: AnswerStyle = (_row, core, _outcome, cite) => withCitation(core, cite)

/** Revision 6: the fact and sometimes the next step. */
export const concise: AnswerStyle = ({ supportCase }, core, outcome, cite, random) => {
  const body = withCitation(core, cite)
  if (outcome !== 'right' || !supportCase.brief || !supportCase.next || random.chance(0.35)) return body
  return `${body} ${supportCase.next}`
}

function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n')
}

function withLead(lead: string | undefined, core: string): string {
  if (!lead) return core
  return /^(1\. |Here (is|are)|Our workshop charges)/.test(core) ? `${lead}\n\n${core}` : `${lead} ${core}`
}

/** Adds the citation after the last sentence, or as a new paragraph if the text ends in a list, a table or code. */
function withCitation(core: string, cite: string): string {
  const lastLine = core.slice(core.lastIndexOf('\n') + 1)
  return /^(- |\||\d+\. |```)/.test(lastLine) ? `${core}\n\n${cite.trim()}`.trim() : core + cite
}
