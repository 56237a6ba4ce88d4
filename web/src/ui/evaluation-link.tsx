// A link to an evaluation, or only its name if the key cannot read it.
import { Link } from '@tanstack/react-router'
import { useCanRead } from '../api/restriction.ts'

export function EvaluationLink({ id, name }: { id: string; name: string }) {
  const covers = useCanRead()
  if (!covers('evaluation', id)) return <span title={name}>{name}</span>
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} title={name}>
      {name}
    </Link>
  )
}
