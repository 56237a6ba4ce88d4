// Writes openapi.json from the routes, and the types of the client from that: npm run openapi. Tests fail while they
// differ.
import { readFileSync, writeFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { generateTypes } from '../client/generate.ts'
import { buildApp } from '../src/http/app.ts'
import { NAMED_FILTERS } from '../src/schema/filter-queries.ts'
import { SETTINGS } from '../src/setting-table.ts'
import { defaultSettings, flagOf } from '../src/settings.ts'
import type { Reader, Writer } from '../src/store/dialect/dialect.ts'

const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
export const CLIENT_TYPES = new URL('../client/types.ts', import.meta.url)

export async function generateOpenApi(): Promise<string> {
  // Routes are described, never run: no store is opened.
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
  // HEAD is what GET is without the body; as operations of their own they would only repeat it.
  for (const item of Object.values(document.paths)) delete item.head
  addNamedFilters(document)
  return `${JSON.stringify(document, withoutLoneAllOf, 2)}\n`
}

/** The plugin knows only parameters with a name of their own. Where rows are searched they are filtered. */
function addNamedFilters({ paths }: Document): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { parameters = [] } = operation as { parameters?: { name: string }[] }
    if (parameters.some(({ name }) => name === 'q')) parameters.push(NAMED_FILTERS)
  }
}

/** What stands beside a reference is dropped by the plugin, so an example has it wrapped. */
function withoutLoneAllOf(_name: string, value: unknown): unknown {
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
        description: `${PACKAGE.description} Every operation under /api asks for an API key. HEAD answers what GET does, without the body; OPTIONS lists the methods of a path. Limits, each a setting: ${limits()}.`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags: [
        { name: 'evaluations', description: 'Evaluations and their scenarios.' },
        { name: 'variants', description: 'Variants and their revisions.' },
        { name: 'keys', description: 'The key that asks, and the keys that share a view.' },
        { name: 'service', description: 'The service itself.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The key by itself, or behind the word ApiKey.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The key behind the word Bearer.' },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The setting metrics-token.' },
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
