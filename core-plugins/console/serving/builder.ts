import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { Environment, Logger } from '#kernel'
import { readBuild } from '../build/dist-folder.ts'
import type { ConsoleFolders } from '../build/folders.ts'
import { nameOfBuild } from '../build/inputs.ts'
import type { ConsoleBuild } from '../contract.ts'
import type { AssetTable } from './asset-table.ts'
import type { Absence } from './building-page.ts'

/** What the builder works with. */
interface BuilderParts {
  readonly folders: ConsoleFolders
  readonly assets: AssetTable
  readonly env: Pick<Environment, 'production'>
  readonly log: Logger
}

const command = path.join(import.meta.dirname, '..', 'prepare.js')

/** Compares what is built with the sources, and builds in a process of its own, behind everything else. */
export class Builder implements ConsoleBuild, Disposable {
  readonly #parts: BuilderParts
  #running: Promise<void> | undefined
  #child: ChildProcess | undefined
  #absence: Absence

  constructor(parts: BuilderParts) {
    this.#parts = parts
    this.#absence = parts.env.production ? 'production' : 'building'
  }

  /** Why there is no page, where there is none. */
  get absence(): Absence {
    return this.#absence
  }

  bringUpToDate(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => (this.#running = undefined)))
  }

  [Symbol.dispose](): void {
    this.#child?.kill()
  }

  async #run(): Promise<void> {
    const { folders, env, log, assets } = this.#parts
    // Where the pages came built there is nothing to build them of.
    if (!existsSync(folders.web)) return
    try {
      const there = await readBuild(folders.dist)
      if (there?.build === (await nameOfBuild(folders))) return
      const what = there ? 'is of other sources' : 'is not built'
      if (env.production) return log.warn({}, `the console ${what}, and is not built in production: npm run build`)
      log.info({}, `the console ${what}: it is being built`)
      this.#absence = 'building'
      if (await this.#build()) assets.forget()
      else this.#absence = 'failed'
    } catch (error) {
      this.#absence = 'failed'
      log.warn({ err: error }, 'the console could not be built')
    }
  }

  async #build(): Promise<boolean> {
    const child = spawn(process.execPath, [command], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4000)))
    const [code] = (await once(child, 'close')) as [number | null]
    this.#child = undefined
    if (code !== 0) this.#parts.log.warn({ said }, 'the console could not be built: npm run build says why')
    return code === 0
  }
}
