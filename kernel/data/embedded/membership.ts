import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Socket } from 'node:net'
import { StartError } from '../../start-error.ts'

const script = path.join(import.meta.dirname, 'watchdog.sh')

/** This process's share in an embedded server: while one member lives the server runs, and the last one out stops it. */
export class Membership implements AsyncDisposable {
  readonly #watchdog: ChildProcess & { stdin: Socket; stdout: Socket }
  readonly #answers: AsyncIterator<string>
  readonly #lines: Interface
  readonly #ended: Promise<unknown>

  private constructor(watchdog: ChildProcess & { stdin: Socket; stdout: Socket }) {
    this.#watchdog = watchdog
    this.#lines = createInterface({ input: watchdog.stdout })
    this.#answers = this.#lines[Symbol.asyncIterator]()
    this.#ended = once(watchdog, 'exit').catch(() => undefined)
    // Writing to a watchdog that died fails here; its end is noticed by who waits for its answer.
    watchdog.stdin.on('error', () => undefined)
  }

  /** Becomes a member; waits while the last member before is stopping the server. */
  static async join(locks: string, pidFile: string): Promise<Membership> {
    // Detached, so that Ctrl-C in the terminal does not reach it: it must outlive this process to stop the server.
    const watchdog = spawn('sh', [script, locks, pidFile], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    }) as ChildProcess & { stdin: Socket; stdout: Socket }
    const membership = new Membership(watchdog)
    await membership.#expect('member')
    membership.#hold(false)
    return membership
  }

  get isAlive(): boolean {
    return this.#watchdog.exitCode === null && this.#watchdog.signalCode === null
  }

  /** Does something that one process at a time may do, such as starting the server. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.#hold(true)
    try {
      this.#watchdog.stdin.write('lock\n')
      await this.#expect('locked')
      return await work()
    } finally {
      this.#watchdog.stdin.write('unlock\n')
      this.#hold(false)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hold(true)
    this.#watchdog.stdin.end()
    await this.#ended
    this.#lines.close()
  }

  async #expect(word: string): Promise<void> {
    const answer = await this.#answers.next()
    if (answer.value === word) return
    throw new StartError('The embedded PostgreSQL needs the commands sh and flock (util-linux): or set DATABASE_URL')
  }

  /** Between our words the watchdog must not keep the process alive. */
  #hold(isBusy: boolean): void {
    for (const handle of [this.#watchdog, this.#watchdog.stdin, this.#watchdog.stdout]) {
      if (isBusy) handle.ref()
      else handle.unref()
    }
  }
}
