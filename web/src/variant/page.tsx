// Being built.
export function VariantPage() {
  return <main />
}
