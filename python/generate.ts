// Generates the types and the version of the Python client from the OpenAPI document and package.json. Returns text, so
// that a test can compare it with the committed files.
import type { OpenApi, Parameter, Schema } from '../client/generate.ts'

const HEADER = '# Generated from openapi.json by `npm run openapi`; do not edit.\n'

const TYPES_HEADER = `"""Types of the HTTP API. Each one is a dict with the members of a JSON object."""

${HEADER}
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    # Type checkers have definitions for this package, so it does not need to be installed.
    from typing_extensions import NotRequired
`

/** Members with these names require the functional syntax of TypedDict. */
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

const IMPORT_QUERY = 'importFile'

export function generatePythonVersion(version: string): string {
  return `"""The version of the package, which is that of the service."""\n\n${HEADER}\n__version__ = "${version}"\n`
}

export function generatePythonTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => formatTypedDict(name, schema))
  const importFile = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === IMPORT_QUERY)
  const parameters = (importFile?.parameters ?? [])
    .map((parameter) => ('$ref' in parameter ? components.parameters[nameOf(parameter.$ref)] : parameter))
    .filter((parameter): parameter is Parameter => parameter?.in === 'query')
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description = '' }) => [name, { ...schema, description }]),
  )
  const query = formatTypedDict('ImportFileQuery', { type: 'object', properties })
  return [TYPES_HEADER, ...schemas, query, formatProblemCodes(components.schemas)].join('\n\n')
}

function formatTypedDict(name: string, { properties, required = [], description }: Schema): string {
  if (!properties)
    throw new Error(`The generator does not support the schema ${name}, which is not an object.`)
  const members = Object.entries(properties).map(([member, schema]) => {
    const type = formatType(schema)
    return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, schema }
  })
  if (members.some(({ member }) => KEYWORDS.has(member))) {
    const lines = members.map(({ member, type, schema }) => {
      const comment = schema.description ? `        # ${schema.description}\n` : ''
      return `${comment}        "${member}": ${JSON.stringify(type)},\n`
    })
    const comment = description ? `# ${description}\n` : ''
    return `${comment}${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`
  }
  const lines = members.map(
    ({ member, type, schema }) => `    ${member}: ${type}\n${formatDocstring(schema.description)}`,
  )
  return `class ${name}(TypedDict):\n${formatDocstring(description)}${lines.join('')}`
}

function formatDocstring(description: string | undefined): string {
  return description ? `    """${description.replaceAll('\\', '\\\\').replace(/"$/, '\\"')}"""\n` : ''
}

function formatType(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map(formatType).join(' | ')
  if (schema.enum) {
    const values = schema.enum.map((value) => (value === null ? 'None' : JSON.stringify(value)))
    return `Literal[${values.join(', ')}]`
  }
  if (schema.type === undefined) return 'Any'
  return [schema.type]
    .flat()
    .map((type) => formatSingleType(type, schema))
    .join(' | ')
}

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function formatSingleType(type: string, { items = {}, properties, additionalProperties }: Schema): string {
  if (type === 'array') return `list[${formatType(items)}]`
  if (type === 'object' && !properties) {
    const value = typeof additionalProperties === 'object' ? formatType(additionalProperties) : 'Any'
    return `dict[str, ${value}]`
  }
  const scalar = SCALARS[type]
  if (scalar === undefined) throw new Error(`The generator does not support the type ${type} here.`)
  return scalar
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function formatProblemCodes({ Problem }: Record<string, Schema>): string {
  const codes = Problem?.properties?.code?.['x-extensible-enum'] ?? []
  const lines = codes.map((code) => `    "${code}",\n`)
  return `# Error codes, for programs. Later versions of the service can add codes.\nProblemCode = Literal[\n${lines.join('')}]\n`
}
