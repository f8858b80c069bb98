import { spawn, type ChildProcess } from 'node:child_process'

/** Answers a line for each one that it reads: whether the limit was set. */
const loop = 'while read -r pid limit; do "$0" --pid="$pid" "$limit" 2>/dev/null && echo 1 || echo 0; done'

/** The small process, and whoever waits for its next lines. */
interface Helper {
  readonly child: ChildProcess
  readonly waiting: ((isSet: boolean) => void)[]
}

/**
 * Sets limits of running processes with `prlimit`, which a small process of its own starts: to start one from a process of
 * hundreds of megabytes holds that up for milliseconds, as its page tables are copied.
 */
export class LimitSetter {
  readonly #command: readonly string[]
  #helper: Helper | undefined

  /** `prefix` goes before its command; `prlimit` is the path of the tool. */
  constructor(prefix: readonly string[], prlimit: string) {
    this.#command = [...prefix, '/bin/sh', '-c', loop, prlimit]
  }

  /** Sets a limit, as `prlimit` is told of it: `--data=1024`. False where the system refuses, or the process is gone. */
  set(pid: number, limit: string): Promise<boolean> {
    const helper = (this.#helper ??= this.#start())
    return new Promise((resolve) => {
      helper.waiting.push(resolve)
      helper.child.stdin?.write(`${String(pid)} ${limit}\n`)
    })
  }

  /** Starts it; it ends with us, and keeps us from no end. */
  #start(): Helper {
    const [command = '', ...rest] = this.#command
    const child = spawn(command, rest, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
    const helper: Helper = { child, waiting: [] }
    child.unref()
    for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void } | null)?.unref()
    const isOver = (): void => {
      if (this.#helper === helper) this.#helper = undefined
      for (const tell of helper.waiting.splice(0)) tell(false)
    }
    child.stdin?.on('error', isOver)
    child.on('error', isOver).on('exit', isOver)
    child.stdout?.on('data', (said: Buffer) => {
      for (const mark of said.toString().replaceAll('\n', '')) helper.waiting.shift()?.(mark === '1')
    })
    return helper
  }
}
