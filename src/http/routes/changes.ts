// /changes: the change log of the project, for clients that follow it.
import type { FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { Change } from '../../schema/changes.ts'
import { MAX_LIMIT } from '../../schema/pages.ts'
import { optionalMembers, strictObject, Type } from '../../schema/schema-builders.ts'
import {
  type ChangeRow,
  findSequenceBefore,
  IS_DATA_CHANGE,
  isReadablePosition,
  type LogPosition,
  type LogSelection,
  readAllChanges,
  readChanges,
  readLogVersion,
  toLogEntry,
} from '../../store/changes/change-log.ts'
import type { Connection } from '../../store/store.ts'
import { nextLink, readCursor, writeCursor } from '../reads/pagination.ts'
import { listVersion } from '../response/etag.ts'
import type { App, RouteContext } from '../route-context.ts'

const PATH = '/api/changes'

const changesQuery = strictObject(
  optionalMembers({
    after: Type.String({
      description: 'The cursor of an entry. Returns the entries after it. Without it, returns all entries.',
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: 'Maximum number of entries. Without it, all entries are returned.',
    }),
    format: Type.Enum(['json', 'ndjson'], {
      description: 'The response format. Overrides the `Accept` header.',
    }),
  }),
)

interface ChangesQuery {
  after?: string
  limit?: number
}

export function changeRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/changes',
    config: { scope: 'read' },
    schema: {
      operationId: 'listChanges',
      summary: 'List changes',
      description:
        'Returns the changes of evaluations and variants of the project, oldest first. To follow the changes, pass the cursor of the last entry as `after`, and the ETag of the last response as `If-None-Match`. Entries can be read for 90 days (setting `changes-retention`).',
      tag: 'changes',
      querystring: changesQuery,
      returns: Type.Array(Change),
      errors: ['cursor-expired'],
    },
    async handler(_request, reply) {
      return respondWithChanges(reply, context)
    },
  })
}

function respondWithChanges(reply: FastifyReply, context: RouteContext) {
  const { settings, clock } = context
  const { project } = reply.request.viewer
  const query = reply.request.query as ChangesQuery
  const { after: cursor, limit } = query
  // A cursor is valid for one project only.
  const name = `${PATH} ${project}`
  const position = cursor === undefined ? undefined : readCursor(name, { cursor }, ['number', 'string'])
  const since = new Date(clock() - settings.changes_retention).toISOString()
  const toCursor = ({ sequence, token }: LogPosition) => writeCursor(name, [sequence, token])
  const toElement = (row: ChangeRow) => JSON.stringify({ ...toLogEntry(row), cursor: toCursor(row) })

  async function* readChunks(snapshot: Connection, selection: LogSelection, separator: string) {
    for await (const rows of readAllChanges(snapshot, selection))
      yield Buffer.from(rows.map(toElement).join(separator))
  }

  return context.respond(reply, context, {
    isPolled: true,
    async prepare(snapshot) {
      if (position && !(await isReadablePosition(snapshot, project, toPosition(position), since)))
        throw cursorExpiredProblem()
      const after = position?.[0] ?? (await findSequenceBefore(snapshot, project, since))
      const selection: LogSelection = { project, after, condition: [IS_DATA_CHANGE] }
      const logVersion = await readLogVersion(snapshot, project)
      return {
        formats: ['json', 'ndjson'],
        version: logVersion === undefined ? undefined : listVersion(logVersion, PATH, { ...query, after }),
        async content() {
          if (limit === undefined)
            return { chunks: (separator) => readChunks(snapshot, selection, separator) }
          const rows = await readChanges(snapshot, selection, limit + 1)
          const page = rows.slice(0, limit)
          const last = rows.length > limit ? page.at(-1) : undefined
          return {
            async *chunks(separator) {
              if (page.length > 0) yield Buffer.from(page.map(toElement).join(separator))
            },
            link: last && nextLink(settings.public_url, PATH, { ...query }, toCursor(last), 'after'),
          }
        },
      }
    },
  })
}

function toPosition([sequence, token]: readonly [number, string]) {
  return { sequence, token }
}

function cursorExpiredProblem(): Problem {
  return new Problem(
    'cursor-expired',
    'The changes after this cursor cannot be read completely: they are older than the retention, or the store was restored from a backup. Read the lists again, then read the changes without after.',
  )
}
