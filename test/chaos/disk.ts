import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'

/** A small disk at a folder, which can be filled. */
export class Disk implements Disposable {
  readonly #folder: string
  readonly #ballast: string

  private constructor(folder: string) {
    this.#folder = folder
    this.#ballast = path.join(folder, 'ballast')
  }

  /** Mounts one, such as `64m`; undefined where the system does not let us. */
  static mount(folder: string, size: string, owner: { readonly uid?: number; readonly gid?: number } = {}) {
    const options = Object.entries({ size, mode: '0700', ...owner }).map(([name, value]) => `${name}=${value}`)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(), 'stoa-chaos', folder])
    return status === 0 ? new Disk(folder) : undefined
  }

  /** Leaves not a page of room. */
  async fill(): Promise<void> {
    const handle = await open(this.#ballast, 'a')
    try {
      for (const size of [1_048_576, 4096]) {
        const block = Buffer.alloc(size, 1)
        while (
          await handle.write(block).then(
            () => true,
            () => false,
          )
        )
          continue
      }
    } finally {
      await handle.close()
    }
  }

  /** Makes room again. */
  free(): Promise<void> {
    return rm(this.#ballast, { force: true })
  }

  [Symbol.dispose](): void {
    spawnSync('umount', [this.#folder])
  }
}
