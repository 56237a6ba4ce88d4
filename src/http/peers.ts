// The other processes that serve the same port, as one of them sees them.

export interface Peers {
  /** Tells them that an address has sent a key that was refused. */
  tellRefused(address: string): void
  /** Calls the listener with each address that they tell of. */
  hearRefused(listener: (address: string) => void): void
  /** Lets them have the figures of this process. */
  offerFigures(collect: () => Promise<object[]>): void
  /** The figures of all of them together, for Prometheus; undefined where they cannot be had. */
  metrics(): Promise<string | undefined>
}
