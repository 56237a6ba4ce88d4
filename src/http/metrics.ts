// Figures for Prometheus: how many requests, how long they took, how many are under way.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export class Metrics {
  readonly registry = new Registry()
  readonly #seconds = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Seconds from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  })
  readonly #underWay = new Gauge({
    name: 'assay_http_requests_under_way',
    help: 'Requests whose answer has not ended.',
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  /** An onRequest hook. Routes are labelled by their pattern, so that ids do not become labels. */
  readonly measure = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const started = performance.now()
    this.#underWay.inc()
    reply.raw.once('close', () => {
      this.#underWay.dec()
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.statusCode,
      }
      this.#seconds.observe(labels, (performance.now() - started) / 1000)
    })
  }
}
