import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviour, SeenRequest } from './behaviour.ts'

type Mutable<T> = { -readonly [name in keyof T]: T[name] }
/** A request while it is answered. */
export type RequestRecord = Mutable<SeenRequest>

const lanes = new Map<string, Lane>()

/** The lane of a name. */
export function findLane(name: string): Lane {
  const lane = lanes.get(name) ?? new Lane()
  lanes.set(name, lane)
  return lane
}

class Lane {
  records: RequestRecord[] = []
  #behaviour: Behaviour = {}
  #left = Infinity

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
    this.#left = behaviour.times ?? Infinity
  }

  forget(): void {
    this.records = []
  }

  /** How the next request is treated. Those of health checks, which come when they are due, are treated alike and not counted. */
  next(method: string): Behaviour {
    if (method === 'GET') return this.#left > 0 ? this.#behaviour : {}
    this.#left -= 1
    return this.#left < 0 ? {} : this.#behaviour
  }

  note(request: IncomingMessage, response: ServerResponse, path: string, body: string): RequestRecord {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const method = request.method ?? ''
    const record: RequestRecord = {
      ...{ id: this.records.length + 1, method, path, headers, body: parse(body), at: Date.now(), pieces: 0 },
    }
    this.records.push(record)
    response.once('close', () => {
      if (response.writableFinished) record.endedAt = Date.now()
      else record.hungUpAt = Date.now()
    })
    return record
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
