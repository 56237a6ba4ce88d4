// The way to an evaluation, or its name alone where the key does not read it.
import { Link } from '@tanstack/react-router'
import { useCovers } from '../shell/confinement.ts'

export function EvaluationLink({ id, name }: { id: string; name: string }) {
  const covers = useCovers()
  if (!covers('evaluation', id)) return <span title={name}>{name}</span>
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} title={name}>
      {name}
    </Link>
  )
}
