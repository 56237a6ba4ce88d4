// The sections of the API reference: operations with parameters, responses and examples, and the members of objects.
import { escapeHtml, formatCopyableCode, formatLink, formatProse, formatTable } from './docs-html.ts'
import type { Body, Components, Operation, Parameter, Reference, Response, Schema } from './document-types.ts'

export interface PathOperation {
  path: string
  method: string
  operation: Operation
}

export function operationSection({ path, method, operation }: PathOperation, components: Components): string {
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
    `<h3 id="${operationId}">${escapeHtml(summary)}</h3>`,
    `<p class="endpoint"><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></p>`,
    description === undefined ? '' : `<p>${formatProse(description)}</p>`,
    formatCopyableCode(escapeHtml(curlCommand(path, method, operation, parameters))),
    parameterRows.length > 0 ? formatTable(['Parameter', 'In', 'Description'], parameterRows) : '',
    ...formatExamples('Request body', requestBody, components),
    formatTable(['Status', 'Response'], responseRows),
    `<p>Errors: ${errors.join(', ')}.</p>`,
    ...formatExamples('Response', success, components),
  ].join('\n')
}

/** The members of an object. */
export function schemaSection([name, { description, properties = {}, required = [] }]: [
  string,
  Schema,
]): string {
  const rows = Object.entries(properties).map(([member, schema]) => {
    const presence = required.includes(member) ? '' : ', optional'
    return `<tr><td><code>${escapeHtml(member)}</code></td><td>${formatType(schema)}${presence}</td><td>${formatProse(schema.description ?? '')} ${describeRange(schema)}</td></tr>`
  })
  return [
    `<h3 id="${name}">${name}</h3>`,
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
  const key = security.some((scheme) => 'bearer' in scheme) ? ` -H "Authorization: Bearer $ASSAY_KEY"` : ''
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  const body = requestBody ? ` -H 'Content-Type: application/json' -d @body.json` : ''
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .flatMap(requiredValues)
  return `curl${verb}${key}${body} \\\n  "$ASSAY${path}${query.length === 0 ? '' : `?${query.join('&')}`}"`
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
