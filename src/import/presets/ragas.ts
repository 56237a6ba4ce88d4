// Imports results of RAGAS: the data frame of `evaluate()` as CSV or JSON lines.
import type { ColumnChoice } from '../table/columns.ts'
import { columnRoles, presetImporter } from '../table/preset.ts'

/** The members of a sample. Version 0.1 had other names. All other columns are metrics, or were added later. */
const rolesOf = columnRoles({
  input: 'user_input, retrieved_contexts, question, contexts',
  output: 'response, answer',
  expected:
    'reference, reference_contexts, reference_tool_calls, reference_topics, ground_truth, ground_truths',
  extra: `rubrics, multi_responses, retrieved_context_ids, reference_context_ids, synthesizer_name, persona_name,
    query_style, query_length`,
})

/** The metrics that RAGAS has itself. Metrics of users are detected from their values. */
const METRIC_NAMES =
  /^(faithfulness|answer_(relevancy|correctness|similarity|accuracy)|response_relevancy|.*context_(precision|recall|entity_recall|utilization|relevance).*|noise_sensitivity.*|factual_correctness.*|semantic_similarity|non_llm_string_similarity|(bleu|rouge|chrf)_score.*|exact_match|string_present|tool_call_.*|topic_adherence.*|agent_goal_accuracy.*|summary_score|nv_\w+|aspect_critic|harmfulness|maliciousness|coherence|correctness|conciseness|.*\(mode=\w+\))$/

export function isRagasTable(names: readonly string[]): boolean {
  const has = (...required: string[]) => required.every((name) => names.includes(name))
  return has('user_input', 'response') || has('question', 'answer', 'contexts')
}

export function ragasColumns(names: readonly string[]): ReadonlyMap<string, ColumnChoice> {
  const columns = rolesOf(names)
  for (const name of names)
    if (!columns.has(name) && METRIC_NAMES.test(name)) columns.set(name, { role: 'score' })
  return columns
}

export const ragas = presetImporter({
  name: 'ragas',
  label: 'RAGAS',
  description: 'results of RAGAS as CSV or JSON lines, with user_input and response',
  example: 'assay import ragas-results.csv --variant support-bot',
  detects: isRagasTable,
  columns: ragasColumns,
})
