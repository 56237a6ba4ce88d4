// Figures for Prometheus: how many requests, how long they took, how many are under way.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Peers } from './peers.ts'

export class Metrics {
  readonly registry = new Registry()
  readonly #seconds = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Seconds from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  })
  readonly #labelled = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  readonly #underWay = new Gauge({
    name: 'assay_http_requests_under_way',
    help: 'Requests whose answer has not ended.',
    registers: [this.registry],
  })

  readonly #peers: Peers | undefined

  constructor(peers?: Peers) {
    this.#peers = peers
    collectDefaultMetrics({ register: this.registry })
    peers?.offerFigures(() => this.registry.getMetricsAsJSON())
  }

  /** In the words of Prometheus; of all processes that serve the same port, undefined where one of them does not answer. */
  text(): Promise<string | undefined> {
    return this.#peers?.metrics() ?? this.registry.metrics()
  }

  /** An onRequest hook. Routes are labelled by their pattern, so that ids do not become labels. */
  readonly measure = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const started = performance.now()
    this.#underWay.inc()
    reply.raw.once('close', () => {
      this.#underWay.dec()
      const seconds = this.#secondsOf(request, reply.raw.statusCode)
      seconds.observe((performance.now() - started) / 1000)
    })
    done()
  }

  /** Looking labels up takes longer than counting. */
  #secondsOf({ method, routeOptions: { url: route = 'none' } }: FastifyRequest, status: number) {
    const name = `${method} ${status} ${route}`
    let seconds = this.#labelled.get(name)
    if (!seconds) {
      seconds = this.#seconds.labels({ method, route, status })
      this.#labelled.set(name, seconds)
    }
    return seconds
  }
}
