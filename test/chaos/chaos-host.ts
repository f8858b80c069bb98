import { mkdir } from 'node:fs/promises'
import { freePort } from '../support/free-port.ts'
import { startHostProcess, type HostProcess } from '../support/host-process.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { serverOf, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { Disk } from './disk.ts'

/** What a host is started with. */
export interface ChaosHostOptions {
  readonly env: Readonly<Record<string, string>>
  readonly database: string
  readonly redis: string
}

const diskSize = '64m'

/** A real host with a disk of its own where the system allows one, behind a wire to each server. */
export class ChaosHost implements AsyncDisposable {
  readonly dataDir: string
  readonly database: TcpProxy
  readonly redis: TcpProxy
  readonly url: string
  /** Its folder, where that is a disk of its own. */
  readonly disk: Disk | undefined
  /** What earlier processes of it printed. */
  #printed = ''
  readonly #start: () => Promise<HostProcess>
  #process: HostProcess | undefined

  private constructor(dataDir: string, port: number, database: TcpProxy, redis: TcpProxy, options: ChaosHostOptions) {
    this.dataDir = dataDir
    this.database = database
    this.redis = redis
    this.url = `http://127.0.0.1:${port}`
    this.disk = Disk.mount(dataDir, diskSize)
    const env = {
      ...options.env,
      DATABASE_URL: database.through(options.database),
      REDIS_URL: redis.through(options.redis),
    }
    this.#start = () => startHostProcess({ dataDir, port, env })
  }

  /** Starts it and waits until it is healthy. */
  static async start(dataDir: string, options: ChaosHostOptions): Promise<ChaosHost> {
    await mkdir(dataDir, { recursive: true })
    const database = await startTcpProxy(serverOf(options.database))
    const redis = await startTcpProxy(serverOf(options.redis))
    const host = new ChaosHost(dataDir, await freePort(), database, redis, options)
    await host.restart()
    return host
  }

  /** Everything it printed in all its lives. */
  get output(): string {
    return this.#printed + (this.#process?.output() ?? '')
  }

  /** Starts it again where it was. */
  async restart(): Promise<void> {
    this.#process = await this.#start()
  }

  /** SIGKILL; true when everything below it is gone soon. */
  async kill(): Promise<boolean> {
    if (!this.#process) return true
    const below = descendants(this.#process.pid)
    await this.#process.kill()
    this.#printed = this.output
    this.#process = undefined
    return until(() => !below.some(isAlive)).then(
      () => true,
      () => false,
    )
  }

  /** SIGTERM, as an operator ends it. */
  async stop(): Promise<void> {
    await this.#process?.stop()
    this.#printed = this.output
    this.#process = undefined
  }

  /** SIGKILL for the sandboxes. */
  killBelow(): void {
    for (const pid of descendants(this.#process?.pid ?? 0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  }

  /** Halts the process, not the sandboxes below it, or lets it go on. */
  freeze(isFrozen: boolean): void {
    process.kill(this.#process?.pid ?? 0, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]()
    await this.database[Symbol.asyncDispose]()
    await this.redis[Symbol.asyncDispose]()
    this.disk?.[Symbol.dispose]()
  }
}
