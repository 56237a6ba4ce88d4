// The API reference as HTML: one page for the operations, one for the errors. It loads nothing from other hosts.
import { ERRORS } from '../../errors.ts'
import { escapeHtml, formatLink, formatPage, formatProse, formatTable } from './docs-html.ts'
import { formatLimits, formatOpening, type Limit, OPENING_LINKS } from './docs-opening.ts'
import { operationSection, type PathOperation, schemaSection } from './docs-operations.ts'
import type { OpenApi } from './document-types.ts'

/** Operations are grouped by what they are about. Other operations are in the group of their tag. */
const GROUPS: [title: string, paths: RegExp][] = [
  ['Scenarios and results', /\/(evaluation_scenarios|results)(\/|$)/],
  ['Analysis and comparisons', /\/(rows|summary|agreement|breakdown|comparisons)$/],
]

/** `limits` are the settings that limit requests. */
export function docsPage(
  { info, paths, tags, components }: OpenApi,
  limits: readonly Limit[],
  publicUrl: string | undefined,
): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): PathOperation => ({ path, method, operation })),
  )
  const groups = groupOperations(operations, tags)
  const schemas = Object.keys(components.schemas)
  const contents = [
    formatContents(
      'Start',
      OPENING_LINKS.map(([id, title]) => formatLink(`#${id}`, title)),
    ),
    ...[...groups].map(([title, members]) => formatContents(title, members.map(operationLink))),
    `<details><summary>Objects</summary><ul>${schemas.map((name) => `<li>${formatLink(`#${name}`, name)}</li>`).join('')}</ul></details>`,
  ]
  const content = [
    formatOpening(info, publicUrl),
    ...[...groups].flatMap(([title, members]) => [
      `<h2 class="group">${title}</h2>`,
      ...members.map((operation) => operationSection(operation, components)),
    ]),
    formatLimits(limits),
    '<h2 class="group" id="objects">Objects</h2>',
    ...Object.entries(components.schemas).map(schemaSection),
  ]
  return formatPage('/docs', 'API reference', contents.join('\n'), content.join('\n'))
}

/** By title, in the order of the tags. */
function groupOperations(operations: PathOperation[], tags: OpenApi['tags']): Map<string, PathOperation[]> {
  const byTitle = Map.groupBy(
    operations,
    ({
      path,
      operation: {
        tags: [tag = ''],
      },
    }) => GROUPS.find(([, pattern]) => pattern.test(path))?.[0] ?? titleOf(tag),
  )
  const [first = '', ...others] = tags.map(({ name }) => titleOf(name))
  const titles = [first, ...GROUPS.map(([title]) => title), ...others]
  return new Map(titles.map((title) => [title, byTitle.get(title) ?? []]))
}

function titleOf(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1)
}

function formatContents(title: string, links: string[]): string {
  return `<h2>${title}</h2><ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul>`
}

function operationLink({ method, operation: { operationId, summary } }: PathOperation): string {
  return `<a href="#${operationId}"><span class="method">${method.toUpperCase()}</span> ${escapeHtml(summary)}</a>`
}

export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, when }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td><td>${formatProse(when)}</td></tr>`,
  )
  const content = [
    '<h1>Errors</h1><p class="lead">Every error response has the media type <code>application/problem+json</code> and one of these codes.</p>',
    formatTable(['Code', 'Status', 'Title', 'When'], rows),
  ]
  return formatPage('/docs/errors', 'Errors', '', content.join('\n'))
}
