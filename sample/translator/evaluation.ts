// The evaluation of reply-translator: revision 3, 60 replies in twelve languages.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { type Random, randomFrom, rounded } from '../random.ts'
import { fill, tokenCount } from '../text.ts'
import type { SampleEvaluation } from '../types.ts'
import { LANGUAGES, type Language, REPLIES } from './replies.ts'
import type { Translation } from './translation.ts'
import { LATIN } from './translations-latin.ts'
import { OTHER } from './translations-other.ts'
import { replyTranslator } from './variant.ts'

const EVALUATION_ID = 'reply-translator-r3'

/** The scenario whose request timed out, and the one whose judge failed. */
const TIMED_OUT = 'hi-003'
const UNJUDGED = 'el-002'

const PACKAGES = '/srv/evals/.venv/lib/python3.12/site-packages'

const TIMEOUT_TRACE = [
  'Traceback (most recent call last):',
  `  File "${PACKAGES}/inspect_ai/_eval/task/run.py", line 1021, in task_run_sample`,
  '    state = await plan(state, generate)',
  '  File "/srv/translate/solver.py", line 27, in solve',
  '    output = await get_model().generate(messages, config=config)',
  `  File "${PACKAGES}/httpx/_transports/default.py", line 118, in map_httpcore_exceptions`,
  '    raise mapped_exc(message) from exc',
  'httpx.ReadTimeout',
].join('\n')

const NOTES: Record<string, string> = {
  'de-002': 'We have always said Gutschein. Customers search for that word.',
  'de-004': 'Two candidates, formal and informal. Nice, but the inbox shows only the first.',
  'ja-005': 'No Japanese shop would write this. The reason for the rule about polite forms (r4).',
  'pt-002': 'Spanish. Our Portuguese customers will love it. 🙃',
  'fr-005': 'The 14th became the 4th. A wrong date is worse than a stiff sentence.',
}

const PINNED = ['fr-005', 'ja-005', 'pt-002', 'ar-001']

export function translatorEvaluation(): SampleEvaluation {
  const prompt = tokenCount(String(replyTranslator().revisions[2]?.config.parameters?.system)) + 90
  const countByLanguage = new Map<string, number>()
  const scenarios = [...LATIN, ...OTHER].map((translation) => {
    const number = (countByLanguage.get(translation.to) ?? 0) + 1
    countByLanguage.set(translation.to, number)
    return scenario(`${translation.to}-${String(number).padStart(3, '0')}`, number, translation, prompt)
  })
  return {
    evaluation: {
      id: EVALUATION_ID,
      name: 'Reply translator r3: twelve languages',
      variant_id: 'reply-translator',
      revision: 3,
      baseline_id: null,
      source: 'inspect_ai',
      created_at: '2026-09-29T06:45:30.128Z',
      evaluators: [
        { name: 'adequacy', higher_is_better: true, threshold: 0.8 },
        { name: 'language_match', higher_is_better: true },
        { name: 'terminology' },
      ],
      metadata: {
        dataset: 'replies-12-languages',
        judge: { model: 'claude-3-5-sonnet', temperature: 0 },
        reviewed_by: { de: 'Anke', ja: 'Yuki', pt: 'Beatriz' },
        git_commit: 'b3d1077',
      },
    },
    scenarios,
  }
}

function scenario(
  id: string,
  number: number,
  translation: Translation,
  promptTokens: number,
): EvaluationScenario {
  const language = LANGUAGES[translation.to] as Language
  const random = randomFrom(`translation ${id}`)
  const name = language.customers[number % 2] as string
  const reply = fill(REPLIES[translation.reply], { name })
  const texts = [translation.text, translation.second].filter((text) => text !== undefined)
  const { results, reasons } = verdicts(id, translation, random)
  const prompt = promptTokens + tokenCount(reply)
  return {
    id,
    evaluation_id: EVALUATION_ID,
    inputs: [
      { name: 'reply', type: 'text', value: reply },
      { name: 'target_language', type: 'text', value: language.name },
      { name: 'locale', type: 'text', value: language.code },
    ],
    outputs:
      id === TIMED_OUT
        ? [timeout(random)]
        : texts.map((text) => output(fill(text, { name }), prompt, random)),
    correct_answers: correctAnswers(REPLIES[translation.reply], language),
    is_pinned: PINNED.includes(id),
    note: NOTES[id] ?? null,
    results,
    extra: reasons.some((reason) => reason)
      ? { results: reasons.map((reason) => reason && { reason }) }
      : null,
  }
}

/** The numbers that must stay unchanged and the glossary term. Null for a reply without numbers. */
function correctAnswers(reply: string, language: Language) {
  const numbers = reply.match(/LK-\d+|€?\d+(\.\d+)?/g)
  if (!numbers) return null
  return [
    { key: 'must_keep', value: numbers.join(', ') },
    { key: 'glossary', value: language.glossary },
  ]
}

function output(text: string, prompt: number, random: Random) {
  const completion = tokenCount(text)
  return {
    result: { type: 'text', value: text },
    cost: rounded((prompt * 0.1 + completion * 0.3) / 1_000_000, 6),
    latency: rounded(random.between(0.35, 0.7) + completion * 0.009, 3),
  }
}

function timeout(random: Random) {
  const error = { message: 'ReadTimeout: no answer within 30 seconds', stacktrace: TIMEOUT_TRACE }
  return {
    result: { type: 'error', value: null, error },
    cost: null,
    latency: rounded(random.between(30, 30.2), 3),
  }
}

function verdicts(id: string, { fault }: Translation, random: Random) {
  const failed = id === TIMED_OUT
  const value = fault?.adequacy ?? rounded(random.between(0.88, 1), 2)
  const unjudged = {
    type: 'error',
    value: null,
    error: { message: 'The judge answered in Greek, not in JSON.' },
  }
  return {
    results: [
      {
        evaluator_config: 'adequacy',
        result: id === UNJUDGED ? unjudged : { type: 'number', value: failed ? null : value },
      },
      {
        evaluator_config: 'language_match',
        result: { type: 'bool', value: failed ? null : !fault?.isOtherLanguage },
      },
      {
        evaluator_config: 'terminology',
        result: { type: 'text', value: failed ? null : (fault?.terminology ?? 'consistent') },
      },
    ],
    reasons: [
      fault?.reason ?? (!failed && id !== UNJUDGED && value > 0.97 ? 'Nothing lost, nothing added.' : null),
      null,
      null,
    ],
  }
}
