// Being built.
export function RevisionPage() {
  return <main />
}
