// The logo: a diamond with a check mark.
export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" className="icon">
      <path d="M8 .8 15.2 8 8 15.2.8 8Z" fill="var(--accent-fill)" />
      <path d="m5.2 8 2 2 3.6-3.8" fill="none" stroke="#fff" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
