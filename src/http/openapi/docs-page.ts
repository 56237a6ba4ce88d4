// The API reference as HTML: one page for the operations, one for the errors. It loads nothing from other hosts.
import { ERRORS } from '../../errors.ts'

export interface OpenApi {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    examples: Record<string, { value: unknown }>
  }
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  security?: object[]
  parameters: Reference[]
  requestBody?: Body
  responses: Record<string, Reference>
}

/** An object of the document, or a reference to one. */
interface Reference {
  $ref?: string
}

interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  /** Whether each member of the object is a separate query parameter. */
  explode?: boolean
  schema: Schema
}

interface Schema extends Reference {
  type?: string | string[]
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: (string | null)[]
  minimum?: number
  maximum?: number
  minItems?: number
}

interface Body {
  content?: Record<string, MediaType>
  /** Other media types, by name. */
  'x-representations'?: Record<string, MediaType>
}

interface MediaType {
  schema?: Schema
  example?: unknown
  examples?: { example: Reference }
}

interface Response extends Body {
  description: string
  headers?: Record<string, object>
  'x-problem-codes'?: string[]
}

type Components = OpenApi['components']

/** The same colors and header as the web page. */
export const STYLE = `:root { color-scheme: light dark; --line: light-dark(#dcdfe3, #33383e); --soft: light-dark(#f6f7f8, #1e2125);
  --text: light-dark(#1a1d21, #e8eaed); --selected: light-dark(#e8f1fb, #1d2f42) }
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
body { font: .9375rem/1.55 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif; margin: 0;
  background: light-dark(#fff, #16181b); color: var(--text) }
a { color: light-dark(#0b5cad, #7db8f5) }
:focus-visible { outline: 2px solid light-dark(#0b5cad, #9ccaff); outline-offset: 1px }
header { height: 41px; padding: 0 16px; border-bottom: 1px solid var(--line); font-size: .875rem }
header nav { display: flex; align-items: center; gap: 4px; height: 40px }
header a { padding: 4px 10px; border-radius: 6px; color: var(--text); text-decoration: none }
header a:hover { background: var(--soft) } header a[aria-current] { background: var(--selected) }
header .brand { padding-left: 0; font-weight: 700; background: none } .brand span { color: light-dark(#0f766e, #5eead4) }
body > nav { display: flex; flex-wrap: wrap; gap: 4px 20px }
main, body > nav { max-width: 62rem; margin: 0 auto; padding: 12px 20px 0 } main { padding-bottom: 5rem }
h1 { margin: 1rem 0 .5rem; font-size: 1.5rem } h2 { margin: 3rem 0 .5rem; font-size: 1.15rem; overflow-wrap: anywhere }
code, pre { font: .8125rem/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto;
  white-space: pre-wrap }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word }
th:first-child, td:first-child { min-width: 8rem }
.method { font-weight: 700; margin-right: .5rem }
:target { background: light-dark(#fff4cc, #4a3f12) }
`

export function docsPage({ info, paths, components }: OpenApi, serviceUrl = 'http://127.0.0.1:8080'): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  const links = operations.map(({ operation }) => formatLink(`#${operation.operationId}`, operation.summary))
  return formatPage(`${info.title} ${info.version}`, [
    `<p>${formatProse(info.description)}</p>`,
    '<p>This page is the API reference. The full documentation is in the folder <code>docs/</code> of the repository. Start with <code>docs/README.md</code>.</p>',
    `<p>${links.join(' · ')}</p>`,
    `<p>In the examples, <code>$ASSAY</code> is the URL of the service, such as <code>${escapeHtml(serviceUrl)}</code>.</p>`,
    ...operations.map((operation) => operationSection(operation, components)),
    ...Object.entries(components.schemas).map(schemaSection),
  ])
}

export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, when }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td><td>${formatProse(when)}</td></tr>`,
  )
  return formatPage('Errors', [
    '<p>Every error response has the media type <code>application/problem+json</code> and one of these codes.</p>',
    formatTable(['Code', 'Status', 'Title', 'When'], rows),
  ])
}

function operationSection(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  components: Components,
): string {
  const { operationId, summary, description, requestBody } = operation
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(parameter, components))
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve<Response>(response, components)] as const,
  )
  const parameterRows = parameters.flatMap(expandParameter).map(parameterRow)
  const responseRows = responses
    .filter(([, response]) => !response['x-problem-codes'])
    .map(
      ([status, response]) =>
        `<tr><td>${status}</td><td>${formatProse(response.description)}${formatHeaderNames(response)}</td></tr>`,
    )
  const errors = responses.flatMap(([status, { 'x-problem-codes': codes = [] }]) =>
    codes.map((code) => `${status} ${formatLink(`/docs/errors#${code}`, code)}`),
  )
  const [, success] = responses[0] ?? []
  return [
    `<h2 id="${operationId}">${escapeHtml(summary)}</h2>`,
    `<p><span class="method">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code></p>`,
    description === undefined ? '' : `<p>${formatProse(description)}</p>`,
    `<pre>${escapeHtml(curlCommand(path, method, operation, parameters))}</pre>`,
    parameterRows.length > 0 ? formatTable(['Parameter', 'In', 'Description'], parameterRows) : '',
    ...formatExamples('Request body', requestBody, components),
    formatTable(['Status', 'Response'], responseRows),
    `<p>Errors: ${errors.join(', ')}.</p>`,
    ...formatExamples('Response', success, components),
  ].join('\n')
}

/** The members of an object. */
function schemaSection([name, { description, properties = {}, required = [] }]: [string, Schema]): string {
  const rows = Object.entries(properties).map(([member, schema]) => {
    const presence = required.includes(member) ? '' : ', optional'
    return `<tr><td><code>${escapeHtml(member)}</code></td><td>${formatType(schema)}${presence}</td><td>${formatProse(schema.description ?? '')} ${describeRange(schema)}</td></tr>`
  })
  return [
    `<h2 id="${name}">${name}</h2>`,
    description === undefined ? '' : `<p>${formatProse(description)}</p>`,
    formatTable(['Member', 'Type', 'Description'], rows),
  ].join('\n')
}

/** The type of a value, with links to the objects. */
function formatType({ $ref, anyOf, type, items = {} }: Schema): string {
  if ($ref !== undefined) return formatLink(`#${nameOf($ref)}`, nameOf($ref))
  if (anyOf) return anyOf.map(formatType).join(' or ')
  if (type === undefined) return 'any value'
  return [type]
    .flat()
    .map((name) => (name === 'array' ? `array of ${formatType(items)}` : name))
    .join(' or ')
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function resolve<Value extends object>(value: Reference, components: Components): Value {
  const [kind = '', name = ''] = value.$ref?.split('/').slice(-2) ?? []
  const named = components as unknown as Record<string, Record<string, Value>>
  return (value.$ref === undefined ? value : named[kind]?.[name]) as Value
}

/** Splits an exploded object into its parameters. Its description contains each name, followed by a colon. */
function expandParameter(parameter: Parameter): Parameter[] {
  const { explode, description = '', schema } = parameter
  if (!explode || schema.type !== 'object') return [parameter]
  const names = description.matchAll(/(\S+<\w+>): (.*?)(?= \S+<\w+>: |$)/gs)
  return [...names].map(([, name = '', text = '']) => ({ ...parameter, name, description: text }))
}

function parameterRow({ name, in: location, description = '', required, schema }: Parameter): string {
  const locationText = required ? `${location}, required` : location
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${locationText}</td><td>${formatProse(description)} ${describeRange(schema)}</td></tr>`
}

/** For each media type: its schema and an example. */
function formatExamples(label: string, body: Body = {}, components: Components): string[] {
  const { content = {}, 'x-representations': representations = {} } = body
  return Object.entries({ ...content, ...representations }).flatMap(
    ([type, { schema, example, examples }]) => {
      const value = examples ? resolve<{ value: unknown }>(examples.example, components).value : example
      if (value === undefined) return []
      const schemaText = schema?.$ref || schema?.items ? `, ${formatType(schema)}` : ''
      return `<p>${label}: <code>${escapeHtml(type)}</code>${schemaText}</p><pre>${escapeHtml(formatExample(value))}</pre>`
    },
  )
}

function curlCommand(path: string, method: string, operation: Operation, parameters: Parameter[]): string {
  const { security = [], requestBody } = operation
  const key = security.some((scheme) => 'bearer' in scheme) ? ` -H 'Authorization: Bearer <key>'` : ''
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  const body = requestBody ? ` -H 'Content-Type: application/json' -d @body.json` : ''
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .flatMap(requiredValues)
  return `curl${verb}${key}${body} "$ASSAY${path}${query.length === 0 ? '' : `?${query.join('&')}`}"`
}

/** The parameter as often as it is required. */
function requiredValues({ name, schema: { minItems } }: Parameter): string[] {
  if (minItems === undefined) return [`${name}={${name}}`]
  return Array.from({ length: minItems }, (_, index) => `${name}={${name}_${index + 1}}`)
}

function describeRange({ minimum, maximum, enum: choices }: Schema): string {
  const values = choices?.filter((choice) => choice !== null).map(escapeHtml)
  if (values) return `One of <code>${values.join('</code>, <code>')}</code>.`
  return minimum === undefined || maximum === undefined ? '' : `From ${minimum} to ${maximum}.`
}

function formatHeaderNames({ headers = {} }: Response): string {
  const names = Object.keys(headers).map((name) => `<code>${escapeHtml(name)}</code>`)
  return names.length === 0 ? '' : `<br>Headers: ${names.join(', ')}`
}

function formatExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

function formatPage(title: string, sections: string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><script src="/theme.js"></script><link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css"></head>
<body><header><nav aria-label="Main"><a class="brand" href="/"><span aria-hidden="true">◆</span> Assay</a>
${formatLink('/', 'Evaluations')} ${formatLink('/variants', 'Variants')} <a href="/docs" aria-current="page">API docs</a></nav></header>
<nav aria-label="Reference">${formatLink('/docs', 'Operations')} ${formatLink('/docs/errors', 'Errors')} ${formatLink('/api/openapi.json', 'OpenAPI document')}</nav>
<main><h1>${escapeHtml(title)}</h1>
${sections.join('\n')}
</main></body></html>
`
}

function formatTable(headings: string[], rows: string[]): string {
  const names = headings.map((heading) => `<th scope="col">${heading}</th>`).join('')
  return `<table><thead><tr>${names}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function formatLink(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
}

/** Converts text in backticks to code. */
function formatProse(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
