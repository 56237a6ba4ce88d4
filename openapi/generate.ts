// Generates openapi.json from the routes, and the types of both clients from openapi.json (npm run openapi). Tests fail
// if these files are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import type { RouteOptions } from 'fastify'
import pino from 'pino'
import { generateTypes } from '../client/generate.ts'
import { generatePythonTypes, generatePythonVersion } from '../python/generate.ts'
import { buildApp } from '../src/http/app.ts'
import { defaultSettings, listLimits } from '../src/settings/settings.ts'
import type { Reader, Writer } from '../src/store/dialect/dialect.ts'
import { buildDocument } from './document.ts'

export const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
export const CLIENT_TYPES = new URL('../client/types.ts', import.meta.url)
export const PYTHON_TYPES = new URL('../python/src/assay_client/types.py', import.meta.url)
export const PYTHON_VERSION = new URL('../python/src/assay_client/_version.py', import.meta.url)

export async function generateOpenApi(): Promise<string> {
  const routes: RouteOptions[] = []
  // The routes are only described and never run, so no store is needed.
  const { app } = await buildApp({
    reader: {} as Reader,
    writer: {} as Writer,
    settings: defaultSettings(),
    log: pino({ level: 'silent' }),
    prepare: async (app) => void app.addHook('onRoute', (route) => void routes.push(route)),
  })
  await app.ready()
  await app.close()
  const info = {
    title: 'Assay',
    version: PACKAGE.version,
    description: `${PACKAGE.description} All operations under /api require an API key, except the index and this document. HEAD returns the headers of GET without the body. OPTIONS lists the methods of a path. Limits (configurable as settings): ${limits()}.`,
    license: { name: 'MIT', identifier: 'MIT' },
  }
  const document = JSON.parse(JSON.stringify(buildDocument(info, routes)))
  return `${formatJson(document)}\n`
}

/** Prints objects and arrays that are short enough on one line. Indents by one space, because the document must be small. */
function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 240) return line
  const isArray = Array.isArray(value)
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${indent} ${isArray ? '' : `${JSON.stringify(name)}: `}${formatJson(member, `${indent} `)}`,
  )
  const [open, close] = isArray ? '[]' : '{}'
  return `${open}\n${members.join(',\n')}\n${indent}${close}`
}

function limits(): string {
  return listLimits()
    .map((limit) => `${limit.name} ${limit.default}`)
    .join(', ')
}

if (import.meta.main) {
  const document = await generateOpenApi()
  writeFileSync(DOCUMENT, document)
  writeFileSync(CLIENT_TYPES, generateTypes(JSON.parse(document)))
  writeFileSync(PYTHON_TYPES, generatePythonTypes(JSON.parse(document)))
  writeFileSync(PYTHON_VERSION, generatePythonVersion(PACKAGE.version))
}
