// Limits how many tasks run at the same time. Waiting tasks run in order.

interface WaitingTask {
  order: number
  start: () => void
}

export class Turns {
  #free: number
  #lastOrder = 0
  /** Sorted by order. */
  readonly #waitingTasks: WaitingTask[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** The place of a new task: after all others. */
  nextOrder(): number {
    this.#lastOrder += 1
    return this.#lastOrder
  }

  /** Waits for a turn. It must be ended with `end`. */
  async begin(order = this.nextOrder()): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const index = this.#waitingTasks.findLastIndex((task) => task.order <= order) + 1
    this.#waitingTasks.splice(index, 0, { order, start: resolve })
    await promise
  }

  /** Runs `work` in a turn. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.begin()
    try {
      return await work()
    } finally {
      this.end()
    }
  }

  end(): void {
    const next = this.#waitingTasks.shift()
    if (next) next.start()
    else this.#free += 1
  }
}
