// The way from a page to the list that it is in; absent for a key that reads no lists.
import { Link } from '@tanstack/react-router'
import { useConfinement } from '../shell/confinement.ts'

export function ListCrumb({ to }: { to: '/' | '/variants' }) {
  if (useConfinement() !== null) return null
  return (
    <>
      <Link to={to}>{to === '/' ? 'Evaluations' : 'Variants'}</Link> <span aria-hidden="true">/</span>{' '}
    </>
  )
}
