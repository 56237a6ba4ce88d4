// The API on a local store, in this process.
import { Assay, AssayConnectionError, AssayError } from 'assay-client'
import { CommandError } from '../../errors.ts'
import { type InProcessApi, openInProcessApi } from '../../http/in-process.ts'
import { PROJECT_SCOPES } from '../../schema/keys.ts'
import type { Settings } from '../../settings/settings.ts'
import { findProject } from '../../store/access/projects.ts'
import { runTask } from '../../store/background/task.ts'
import { REMOVE_DELETED } from '../../store/scenarios/removal.ts'
import type { Store } from '../../store/store.ts'
import type { Api } from './api.ts'

/** It must be closed before the store. */
export function openStoreApi(store: Store, settings: Settings): Api & Pick<InProcessApi, 'close'> {
  const { data, database, project } = settings
  const api = openInProcessApi(store, settings)
  const fetchAndRemove: typeof fetch = async (url, init) => {
    const response = await api.fetch(url, init)
    // A service removes the rows of what was deleted later.
    if (init?.method === 'DELETE') await runTask(store, REMOVE_DELETED)
    return response
  }
  return {
    assay: new Assay({ key: '', baseUrl: 'http://in-process/api', fetch: fetchAndRemove, retries: 0 }),
    project,
    scopes: PROJECT_SCOPES,
    file: store.file,
    projectHint: 'use --project NAME',
    hasProject: async () => (await findProject(store.reader, project)) !== undefined,
    toCommandError,
    close: () => api.close(),
    async importFile(source, importer, importSettings, signal) {
      const { importIntoStore } = await import('./store-import.ts')
      // Where temporary files are, and the project.
      const ownSettings = { ...importSettings, data, database, project }
      return importIntoStore(store, ownSettings, source, importer, signal)
    },
  }
}

function toCommandError(error: unknown): unknown {
  if (error instanceof AssayError)
    return new CommandError(error.detail.replaceAll('\n', ' '), 'Correct the input and try again.')
  return error instanceof AssayConnectionError ? error.cause : error
}
