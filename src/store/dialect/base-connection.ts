// The methods of a connection, built on the one method that each engine implements.
import type { Connection, Read, SqlFragments, Value } from './dialect.ts'

export abstract class BaseConnection implements Connection {
  abstract readonly sql: SqlFragments
  abstract read(read: Read): Promise<unknown>

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.read({ returns: 'row', statement, values }) as Promise<Row | undefined>
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.read({ returns: 'rows', statement, values }) as Promise<Row[]>
  }

  joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.read({ returns: 'elements', statement, separator, values }) as Promise<Uint8Array>
  }

  joinElementsUpTo(
    maxBytes: number,
    statement: string,
    separator: string,
    ...values: number[]
  ): Promise<Uint8Array | undefined> {
    const read: Read = { returns: 'elements', statement, separator, values, maxBytes }
    return this.read(read) as Promise<Uint8Array | undefined>
  }

  readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.read({ returns: 'numbers', statement, values }) as Promise<Float64Array>
  }
}
