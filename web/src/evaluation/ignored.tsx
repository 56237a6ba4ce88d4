// Names the parts of an address that mean nothing here, instead of failing over them.
export function Ignored({ parts }: { parts: string[] }) {
  if (parts.length === 0) return null
  return (
    <p role="status" className="notice">
      {parts.length === 1 ? 'This part' : 'These parts'} of the address mean nothing here and{' '}
      {parts.length === 1 ? 'was' : 'were'} left out: {parts.join(', ')}
    </p>
  )
}
