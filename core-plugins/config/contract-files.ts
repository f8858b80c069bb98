import type { Knex } from 'knex'
import { defineService, type Localised } from '#kernel'

/** A value of type IMAGE or FILE that names an attachment. */
export interface ConfigFile {
  /** Whose value it is; 0 is the platform, which in a tenants' group sets the default. */
  readonly tenantId: number
  readonly type: 'IMAGE' | 'FILE'
  readonly id: string
  /** Whether everybody may read the value. */
  readonly isPublic: boolean
}

/** Where a value stands. */
interface ConfigFilePlace {
  readonly tenantId: number
  readonly group: string
  readonly key: string
}

/** Keeps the files that values name. */
export interface ConfigFileKeeper {
  /** What speaks against a file as a value: it stands in the list of faults of the write. */
  faultOf(file: ConfigFile): Promise<{ readonly rule: string; readonly message: Localised } | undefined>
  /** As part of the write: this is the file of a value now, undefined none; the one before is let go of. Throws 404/4045 where it is gone. */
  hold(trx: Knex.Transaction, place: ConfigFilePlace, id: string | undefined): Promise<void>
  /** As part of the removal of a group: no file is needed for any of its values, of whichever tenant. */
  release(trx: Knex.Transaction, group: string): Promise<void>
  /** Where everybody finds the file, a path of every host. */
  pathOf(file: Pick<ConfigFile, 'id' | 'type'>): string
}

/** Where whoever keeps files says so. */
export interface ConfigFiles {
  /** Keeps them until the result is disposed; without anybody ids are taken and shown as they are. */
  register(keeper: ConfigFileKeeper): Disposable
}

/** Where whoever keeps files says so. */
export const configFiles = defineService<ConfigFiles>('config.files')
