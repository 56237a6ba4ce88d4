// Being built.
export function EvaluationsPage() {
  return <main />
}
