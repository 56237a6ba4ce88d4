// Being built.
export function ScenarioPage() {
  return <main />
}
