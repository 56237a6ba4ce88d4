// Links to evaluations, revisions and lists, and the status of an evaluation.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import type { ComponentProps } from 'react'
import { useCanRead, useRestriction } from '../api/restriction.ts'
import { formatCount } from '../format/numbers.ts'

/** Only the name if the key cannot read the evaluation. */
export function EvaluationLink({ id, name }: { id: string; name: string }) {
  const covers = useCanRead()
  if (!covers('evaluation', id)) return <span title={name}>{name}</span>
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} title={name}>
      {name}
    </Link>
  )
}

/** Nothing for a finished evaluation. */
export function EvaluationStatus({ evaluation }: { evaluation: Evaluation }) {
  const { status, scenario_count, expected_count } = evaluation
  if (status === 'finished') return null
  return (
    <span className={status === 'failed' ? 'worse' : 'muted'}>
      {status}
      {expected_count !== null && ` ${formatCount(scenario_count)} of ${formatCount(expected_count)}`}
    </span>
  )
}

/** The breadcrumb link from a page to its list. Hidden for share links, which cannot read lists. */
export function ListCrumb({ to }: { to: '/' | '/variants' }) {
  if (useRestriction() !== null) return null
  return (
    <>
      <Link to={to}>{to === '/' ? 'Evaluations' : 'Variants'}</Link> <span aria-hidden="true">/</span>{' '}
    </>
  )
}

interface RevisionLinkProps
  extends Pick<ComponentProps<'a'>, 'className' | 'title' | 'rel' | 'tabIndex' | 'children'> {
  variantId: string
  revision: number
}

/** A link to a revision: "r3", or other content. */
export function RevisionLink({
  variantId,
  revision,
  children = `r${revision}`,
  ...props
}: RevisionLinkProps) {
  const params = { variantId, revision: String(revision) }
  return (
    <Link to="/variants/$variantId/revisions/$revision" params={params} {...props}>
      {children}
    </Link>
  )
}

/** Breadcrumb of the revision pages: all variants, then the variant. */
export function Breadcrumb({ id, name }: { id: string; name: string | null | undefined }) {
  return (
    <nav aria-label="Breadcrumb">
      <ListCrumb to="/variants" />
      <Link to="/variants/$variantId" params={{ variantId: id }}>
        <bdi>{name ?? id}</bdi>
      </Link>{' '}
      <span aria-hidden="true">/</span>
    </nav>
  )
}
