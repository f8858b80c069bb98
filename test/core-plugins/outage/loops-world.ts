import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger, Plugin, Scope } from '#kernel'
import { checkout } from '../../support/host-process.ts'

/** All loops turn so often here, however seldom they do otherwise. */
const periodMilliseconds = 250

/** Work that a core plugin has repeated. */
export interface Loop {
  readonly file: string
  readonly plugin: string
  /** How many turns have begun, and how many of those have ended. */
  begun: number
  ended: number
  /** Turns that failed. */
  failed: number
}

/** A line that says that something is wrong. */
export interface Complaint {
  readonly plugin: string
  readonly message: string
  /** The loop in whose turn it was said. */
  readonly loop: Loop | undefined
}

/** Watches all loops of a platform. */
export class LoopWatch {
  readonly loops: Loop[] = []
  readonly complaints: Complaint[] = []
  readonly #turn = new AsyncLocalStorage<Loop>()

  /** The plugin, with its loops quickened and watched. */
  watch(plugin: Plugin): Plugin {
    return { ...plugin, setup: (scope, needs) => plugin.setup({ ...scope, every: this.#every(scope) }, needs) }
  }

  /** A log whose complaints are kept. */
  log(plugin = 'kernel'): Logger {
    const keep = (_fields: object, message: string): void =>
      void this.complaints.push({ plugin, message, loop: this.#turn.getStore() })
    const child = (fields: object): Logger => this.log('plugin' in fields ? String(fields.plugin) : plugin)
    return { debug: () => undefined, info: () => undefined, warn: keep, error: keep, child }
  }

  /** How many turns each loop has begun. */
  turns(): ReadonlyMap<Loop, number> {
    return new Map(this.loops.map((loop) => [loop, loop.begun]))
  }

  #every(scope: Scope): Scope['every'] {
    return (milliseconds, work) => {
      const loop: Loop = { file: fileOfCaller(), plugin: scope.plugin, begun: 0, ended: 0, failed: 0 }
      this.loops.push(loop)
      const turn = async (): Promise<void> => {
        loop.begun++
        try {
          await work()
        } catch (error) {
          loop.failed++
          throw error
        } finally {
          loop.ended++
        }
      }
      scope.every(Math.min(milliseconds, periodMilliseconds), () => this.#turn.run(loop, turn))
    }
  }
}

/** Where the loop is started, relative to the checkout. */
function fileOfCaller(): string {
  const files = [...(new Error().stack ?? '').matchAll(/file:\/\/[^\s)]+?\.ts/g)].map(([url]) => fileURLToPath(url))
  const file = files.find((each) => each !== import.meta.filename) ?? ''
  return path.relative(checkout, file)
}
