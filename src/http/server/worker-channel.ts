// The connection of a worker process to the other workers that serve the same port.

export interface WorkerChannel {
  /** Reports to the other workers that an IP address sent an invalid API key. */
  sendRejectedKey(address: string): void
  /** Calls the listener for each address that another worker reports. */
  onRejectedKey(listener: (address: string) => void): void
  /** Registers the function that collects the metrics of this worker. */
  provideMetrics(collect: () => Promise<object[]>): void
  /** Metrics of all workers in Prometheus format; undefined if a worker does not respond. */
  metrics(): Promise<string | undefined>
}
