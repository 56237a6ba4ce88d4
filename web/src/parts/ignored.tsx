// Names the parts of an address that mean nothing here, instead of failing over them.
export function Ignored({ parts }: { parts: string[] }) {
  if (parts.length === 0) return null
  const words =
    parts.length === 1
      ? 'This part of the address means nothing here and was left out'
      : 'These parts of the address mean nothing here and were left out'
  return (
    <p role="status" className="notice">
      {words}: {parts.join(', ')}
    </p>
  )
}
