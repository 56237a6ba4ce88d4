// Errors of commands about a project.
import { AssayError } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Noun } from './target-types.ts'

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof AssayError && error.code === code
}

/** An invalid request is wrong usage. Throws other errors unchanged. */
export function throwUsageError(error: unknown): never {
  throw hasCode(error, 'invalid-request') ? new UsageError((error as AssayError).message) : error
}

/** The report of a rejected import. */
export function importReportOf(error: unknown): ImportReport | undefined {
  return error instanceof AssayError ? (error.report as ImportReport | undefined) : undefined
}

/** The project has no evaluation, variant or review with an id. */
export class NotInProject extends CommandError {
  override name = 'NotInProject'

  constructor(project: string, noun: Noun | 'review', id: string, hint: string) {
    super(`The project '${project}' has no ${noun} '${id}'.`, `Check the id. ${hint}`)
  }
}

/** A name as an argument in a hint, or the placeholder if the shell would need quotes. */
export function commandWord(name: string, placeholder: string): string {
  return /^[\w.-]+$/.test(name) ? name : placeholder
}

export function noBaselineError(id: string): CommandError {
  return new CommandError(
    `'${id}' has no baseline: it declares none, and its variant has no older, finished evaluation.`,
    'Name the baseline: assay compare BASELINE CANDIDATE.',
  )
}

export function revisionNotFoundError(variant: string, revision: string): CommandError {
  return new CommandError(
    `The variant '${variant}' has no revision '${revision}'.`,
    `List its revisions with assay revisions ${commandWord(variant, 'VARIANT')}.`,
  )
}
