// A link to the rows of one class, for a candidate and an evaluator.
import { Link } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'
import { type ClassSelection, classSearchParams } from './evaluation-links.ts'
import type { ComparisonState } from './page-state.ts'

type Attributes = Pick<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'children' | 'className' | 'aria-current' | 'aria-label'
>

interface ClassLinkProps extends ClassSelection, Attributes {
  'data-tooltip'?: string
  state: ComparisonState
}

export function ClassLink({ state, show, evaluator, candidate, ...attributes }: ClassLinkProps) {
  const selection = { show, evaluator, candidate }
  return (
    <Link to="/compare" search={(old) => classSearchParams(old, state.params, selection)} {...attributes} />
  )
}
