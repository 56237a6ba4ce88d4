// The breadcrumb link from a page to its list. Hidden for share links, which cannot read lists.
import { Link } from '@tanstack/react-router'
import { useRestriction } from '../api/restriction.ts'

export function ListCrumb({ to }: { to: '/' | '/variants' }) {
  if (useRestriction() !== null) return null
  return (
    <>
      <Link to={to}>{to === '/' ? 'Evaluations' : 'Variants'}</Link> <span aria-hidden="true">/</span>{' '}
    </>
  )
}
