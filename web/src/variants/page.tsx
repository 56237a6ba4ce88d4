// Being built.
export function VariantsPage() {
  return <main />
}
