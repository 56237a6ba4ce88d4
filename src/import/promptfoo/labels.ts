// The labels of prompts. promptfoo appends the path and the text of a file to the label of its prompt, so that every edit would
// change the label.
import type { Json } from '../../json/value.ts'

export interface Labeled {
  label: string
  /** The label in the results. */
  writtenLabel: string
  /** The prompt template. */
  prompt: Json
}

/**
 * Sets the labels of all prompts: the label in the configuration, else the written label without the text of the prompt. A
 * label that different prompts would share stays longer.
 */
export function assignLabels(prompts: readonly Labeled[], configuration: Json | undefined): void {
  const configuredLabels = labelsIn(configuration)
  const choices = prompts.map((prompt) => ({ prompt, labels: possibleLabels(prompt, configuredLabels) }))
  const uses = new Map<string, Set<string>>()
  for (const { prompt, labels } of choices)
    for (const label of labels) uses.set(label, (uses.get(label) ?? new Set()).add(prompt.writtenLabel))
  for (const { prompt, labels } of choices)
    prompt.label = labels.find((label) => uses.get(label)?.size === 1) ?? prompt.writtenLabel
}

/** A list of texts and of `{"id" or "raw": …, "label": …}`, or `{PATH: LABEL}`. Longest first, so that the best match is found. */
function labelsIn(configuration: Json | undefined): string[] {
  const labels = configuration?.isArray
    ? configuration.elements.map((prompt) => prompt.get('label'))
    : [...(configuration?.members.values() ?? [])]
  return labels.flatMap((label) => label?.string || []).sort((a, b) => b.length - a.length)
}

/** From the shortest. Files are written as `LABEL: PATH: TEXT`, `LABEL: TEXT` or `PATH: TEXT`. */
function possibleLabels({ writtenLabel, prompt }: Labeled, configuredLabels: string[]): string[] {
  const text = prompt.plain
  // YAML, Markdown and Jinja files are shortened.
  const endings = [text, text.slice(0, 80), `${text.slice(0, 50)}...`].map((part) => `: ${part}`)
  const ending = endings.find((ending) => writtenLabel.endsWith(ending))
  if (ending === undefined || configuredLabels.includes(writtenLabel)) return [writtenLabel]
  const labelWithoutText = writtenLabel.slice(0, -ending.length)
  const configured = configuredLabels.find((label) => `${labelWithoutText}: `.startsWith(`${label}: `))
  return [...(configured === undefined ? [] : [configured]), labelWithoutText, writtenLabel]
}
