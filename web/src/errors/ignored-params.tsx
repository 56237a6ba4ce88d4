// Lists the URL parameters that the page ignores.
export function IgnoredParams({ params }: { params: string[] }) {
  if (params.length === 0) return null
  return (
    <p role="status" className="notice">
      Ignored invalid URL parameter{params.length === 1 ? '' : 's'}: {params.join(', ')}
    </p>
  )
}
