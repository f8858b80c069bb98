import type { Knex } from 'knex'
import { AppError } from '#kernel'
import type { CatalogueItem } from '../catalogue/catalogue.ts'
import type { ConfigFile, ConfigFileKeeper, ConfigFiles } from '../contract-files.ts'
import type { ConfigObjection } from '../contract-extensions.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Values that name files, which somebody else keeps. */
export class FileValues implements ConfigFiles {
  #keeper: ConfigFileKeeper | undefined

  register(keeper: ConfigFileKeeper): Disposable {
    this.#keeper = keeper
    return {
      [Symbol.dispose]: () => {
        if (this.#keeper === keeper) this.#keeper = undefined
      },
    }
  }

  /** What speaks against the files that values would name. */
  async objectionsTo(
    tenantId: number,
    values: readonly { readonly item: CatalogueItem; readonly value: unknown }[],
  ): Promise<readonly ConfigObjection[]> {
    const found = values.map(async ({ item, value }) => {
      const file = fileOf(item, value)
      const isPublic = item.declaration.public ?? false
      const fault = file && (await this.#keeper?.faultOf({ ...file, tenantId, isPublic }))
      return fault ? [{ key: item.key, ...fault }] : []
    })
    return (await Promise.all(found)).flat()
  }

  /** Needs the file of a value that is written, and no longer the one before. */
  async hold(trx: Knex.Transaction, tenantId: number, item: CatalogueItem, value: unknown): Promise<void> {
    if (!isFile(item)) return
    await this.#keeper?.hold(trx, { tenantId, group: item.group, key: item.key }, fileOf(item, value)?.id)
  }

  /** The same for a value that comes from a backup, whose file may be gone since. */
  async holdAgain(trx: Knex.Transaction, tenantId: number, item: CatalogueItem, value: unknown): Promise<void> {
    try {
      await this.hold(trx, tenantId, item, value)
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 404) throw error
    }
  }

  /** Needs no file of a group that goes. */
  async release(trx: Knex.Transaction, group: string): Promise<void> {
    await this.#keeper?.release(trx, group)
  }

  /** A value as everybody reads it: of a file, where it is. */
  show(item: CatalogueItem, value: unknown): unknown {
    const file = fileOf(item, value)
    return file && this.#keeper ? this.#keeper.pathOf(file) : value
  }
}

function isFile({ declaration: { type } }: CatalogueItem): boolean {
  return type === 'IMAGE' || type === 'FILE'
}

function fileOf(item: CatalogueItem, value: unknown): Pick<ConfigFile, 'id' | 'type'> | undefined {
  const { type } = item.declaration
  if (type !== 'IMAGE' && type !== 'FILE') return undefined
  return typeof value === 'string' && uuid.test(value) ? { id: value, type } : undefined
}
