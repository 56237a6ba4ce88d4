// The operations on many records by name, so that a thread can be told which one to run.

import type { DeletionOptions } from './delete-scenarios.ts'
import type { ImportFileOptions } from './import-file.ts'
import type { BulkOperation } from './operation.ts'
import type { AddResultsOptions, AppendOptions } from './uploads.ts'

export interface OperationOptions {
  appendScenarios: AppendOptions
  addResults: AddResultsOptions
  importFile: ImportFileOptions
  deleteScenarios: DeletionOptions
}

export type OperationName = keyof OperationOptions

/** Loaded on first use: a service that only serves reads needs none. */
export const OPERATIONS: { [Name in OperationName]: () => Promise<BulkOperation<OperationOptions[Name]>> } = {
  appendScenarios: async () => (await import('./uploads.ts')).appendScenarios,
  addResults: async () => (await import('./uploads.ts')).addResults,
  importFile: async () => (await import('./import-file.ts')).importFile,
  deleteScenarios: async () => (await import('./delete-scenarios.ts')).deleteScenarios,
}
