// Prometheus metrics: request counts, request durations, requests in flight, queries, disk buffers, and the default metrics of the process.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { WorkerChannel } from './worker-channel.ts'

export class Metrics {
  readonly registry = new Registry()
  readonly #duration = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Seconds from the start of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  })
  readonly #histogramsByLabels = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  readonly #inFlight = new Gauge({
    name: 'assay_http_requests_in_flight',
    help: 'Requests whose response has not ended.',
    registers: [this.registry],
  })

  readonly #workerChannel: WorkerChannel | undefined

  constructor(bufferBytes: () => number, workerChannel?: WorkerChannel) {
    this.#workerChannel = workerChannel
    new Gauge({
      name: 'assay_buffer_bytes',
      help: 'Disk space that is reserved for buffered responses and uploads.',
      registers: [this.registry],
      collect() {
        this.set(bufferBytes())
      },
    })
    collectDefaultMetrics({ register: this.registry })
    workerChannel?.provideMetrics(() => this.registry.getMetricsAsJSON())
  }

  /** Metrics of all workers in Prometheus format; undefined if a worker does not respond. */
  toPrometheusText(): Promise<string | undefined> {
    return this.#workerChannel?.metrics() ?? this.registry.metrics()
  }

  observeQueries(queue: { readonly counts: { running: number; waiting: number; rejected: number } }): void {
    const registers = [this.registry]
    new Gauge({
      name: 'assay_queries_running',
      help: 'Filters, searches, summaries and comparisons that run.',
      registers,
      collect() {
        this.set(queue.counts.running)
      },
    })
    new Gauge({
      name: 'assay_queries_waiting',
      help: 'Filters, searches, summaries and comparisons that wait for others.',
      registers,
      collect() {
        this.set(queue.counts.waiting)
      },
    })
    new Counter({
      name: 'assay_queries_rejected_total',
      help: 'Filters, searches, summaries and comparisons that were rejected because too many were in progress.',
      registers,
      collect() {
        this.reset()
        this.inc(queue.counts.rejected)
      },
    })
  }

  /** An onRequest hook. The route label is the URL pattern, so that ids do not become label values. */
  readonly measure = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const startTime = performance.now()
    this.#inFlight.inc()
    reply.raw.once('close', () => {
      this.#inFlight.dec()
      const duration = this.#durationFor(request, reply.raw.statusCode)
      duration.observe((performance.now() - startTime) / 1000)
    })
    done()
  }

  /** Caches labeled histograms, because looking up labels takes longer than observing a value. */
  #durationFor({ method, routeOptions: { url: route = 'none' } }: FastifyRequest, status: number) {
    const labels = `${method} ${status} ${route}`
    let duration = this.#histogramsByLabels.get(labels)
    if (!duration) {
      duration = this.#duration.labels({ method, route, status })
      this.#histogramsByLabels.set(labels, duration)
    }
    return duration
  }
}
