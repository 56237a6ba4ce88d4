// The signals that ask a service to end.

/** Resolves with the next of them; the one behind it acts as usual. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    function stop(signal: NodeJS.Signals): void {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
