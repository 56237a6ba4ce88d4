// Generates openapi.json from the routes and client/types.ts from openapi.json (npm run openapi). Tests fail if these
// files are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { generateTypes } from '../client/generate.ts'
import { buildApp } from '../src/http/app.ts'
import { NAMED_FILTERS } from '../src/schema/filters/filter-params.ts'
import { SETTINGS } from '../src/settings/setting-table.ts'
import { defaultSettings, flagOf } from '../src/settings/settings.ts'
import type { Reader, Writer } from '../src/store/dialect/dialect.ts'

const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
export const CLIENT_TYPES = new URL('../client/types.ts', import.meta.url)

export async function generateOpenApi(): Promise<string> {
  // The routes are only described and never run, so no store is needed.
  const reader = {} as Reader
  const writer = {} as Writer
  const { app } = await buildApp({
    reader,
    writer,
    settings: defaultSettings(),
    log: pino({ level: 'silent' }),
    prepare: addSwagger,
  })
  await app.ready()
  const document = (app as unknown as { swagger(): Document }).swagger()
  await app.close()
  // HEAD operations would only repeat GET.
  for (const item of Object.values(document.paths)) delete item.head
  addNamedFilters(document)
  return `${JSON.stringify(document, unwrapSingleAllOf, 2)}\n`
}

/** The plugin does not support parameters with a name pattern. Every operation with the parameter q has them. */
function addNamedFilters({ paths }: Document): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { parameters = [] } = operation as { parameters?: { name: string }[] }
    if (parameters.some(({ name }) => name === 'q')) parameters.push(NAMED_FILTERS)
  }
}

/** Schemas with an example wrap their $ref in allOf, because the plugin drops the siblings of a $ref. */
function unwrapSingleAllOf(_name: string, value: unknown): unknown {
  const { allOf } = (value ?? {}) as { allOf?: unknown[] }
  return allOf?.length === 1 ? allOf[0] : value
}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

async function addSwagger(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version: PACKAGE.version,
        description: `${PACKAGE.description} All operations under /api require an API key. HEAD returns the headers of GET without the body. OPTIONS lists the methods of a path. Limits (configurable as settings): ${limits()}.`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags: [
        { name: 'evaluations', description: 'Evaluations and their scenarios.' },
        { name: 'variants', description: 'Variants and their revisions.' },
        { name: 'keys', description: 'The API key of the request, and share links.' },
        { name: 'service', description: 'Health checks, metrics and the OpenAPI document.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The API key alone, or after the word `ApiKey`.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The API key after the word `Bearer`.' },
          metricsToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'The value of the setting `metrics-token`.',
          },
        },
      },
    },
  })
}

function limits(): string {
  const names = Object.keys(SETTINGS).filter((name) => /^max_|_limit$|_timeout$/.test(name))
  return names
    .map((name) => `${flagOf(name).slice(2)} ${SETTINGS[name as keyof typeof SETTINGS].default}`)
    .join(', ')
}

if (import.meta.main) {
  const document = await generateOpenApi()
  writeFileSync(DOCUMENT, document)
  writeFileSync(CLIENT_TYPES, generateTypes(JSON.parse(document)))
}
