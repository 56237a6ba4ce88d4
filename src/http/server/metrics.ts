// Prometheus metrics: request counts, request durations, requests in flight, queries, disk buffers, and the default metrics of the process.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { WorkerChannel } from './worker-channel.ts'

const MAX_QUEUED_DURATIONS = 100

export class Metrics {
  readonly registry = new Registry()
  /** Durations that are not in the histogram yet, by labels. One observation takes longer than adding to an array. */
  readonly #durations = new Map<string, DurationQueue>()
  #inFlight = 0

  readonly #histogram: Histogram<'method' | 'route' | 'status'>
  readonly #workerChannel: WorkerChannel | undefined

  constructor(bufferBytes: () => number, workerChannel?: WorkerChannel) {
    this.#workerChannel = workerChannel
    const addDurations = () => this.#addDurations()
    this.#histogram = new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'Seconds from the start of a request to the end of its response.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers: [this.registry],
      collect: addDurations,
    })
    const inFlight = 'Requests whose response has not ended.'
    this.#addGauge('assay_http_requests_in_flight', inFlight, () => this.#inFlight)
    const buffered = 'Disk space that is reserved for buffered responses and uploads.'
    this.#addGauge('assay_buffer_bytes', buffered, bufferBytes)
    collectDefaultMetrics({ register: this.registry })
    workerChannel?.provideMetrics(() => this.registry.getMetricsAsJSON())
  }

  #addGauge(name: string, help: string, read: () => number): void {
    const registers = [this.registry]
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  /** Metrics of all workers in Prometheus format; undefined if a worker does not respond. */
  toPrometheusText(): Promise<string | undefined> {
    return this.#workerChannel?.metrics() ?? this.registry.metrics()
  }

  observeQueries(queue: { readonly counts: { running: number; waiting: number; rejected: number } }): void {
    const running = 'Filters, searches, summaries and comparisons that run.'
    this.#addGauge('assay_queries_running', running, () => queue.counts.running)
    const waiting = 'Filters, searches, summaries and comparisons that wait for others.'
    this.#addGauge('assay_queries_waiting', waiting, () => queue.counts.waiting)
    new Counter({
      name: 'assay_queries_rejected_total',
      help: 'Filters, searches, summaries and comparisons that were rejected because too many were in progress.',
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(queue.counts.rejected)
      },
    })
  }

  beginRequest(): void {
    this.#inFlight += 1
  }

  /** The durations with these labels. The route is the URL pattern, so that ids do not become label values. */
  findQueue(method: string, route: string, status: number): DurationQueue {
    const labels = `${method} ${status} ${route}`
    let queue = this.#durations.get(labels)
    if (!queue) {
      queue = { histogram: this.#histogram.labels({ method, route, status }), seconds: [] }
      this.#durations.set(labels, queue)
    }
    return queue
  }

  endRequest({ seconds }: DurationQueue, durationMs: number): void {
    this.#inFlight -= 1
    seconds.push(durationMs / 1000)
    if (seconds.length >= MAX_QUEUED_DURATIONS) this.#addDurations()
  }

  #addDurations(): void {
    for (const { histogram, seconds } of this.#durations.values()) {
      for (const duration of seconds) histogram.observe(duration)
      seconds.length = 0
    }
  }
}

export interface DurationQueue {
  histogram: Histogram.Internal<'method' | 'route' | 'status'>
  seconds: number[]
}
