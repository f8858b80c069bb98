import { defineService } from '#kernel'

/** Members of a public configuration by their names on the wire; an object is merged into the one that stands there. */
export type PublicMembers = Readonly<Record<string, unknown>>

/** What somebody adds to the public configurations. */
export interface RegisteredPublicMembers extends Disposable {
  /** To be called when the members of a tenant, or with tenant 0 of everybody, may be others than before: this host reads them anew. */
  changed(tenantId: number): void
}

/** Members of the public configurations that follow from more than the values that are stored. */
export interface ConfigPublicMembers {
  /**
   * These members take the place of what the stored values say, until the result is disposed; tenant 0 is the platform's
   * configuration. What is read is kept until a value changes, `changed` is called or five seconds are over.
   */
  register(read: (tenantId: number) => Promise<PublicMembers>): RegisteredPublicMembers
}

/** Members of the public configurations that follow from more than the values that are stored. */
export const configPublicMembers = defineService<ConfigPublicMembers>('config.public_members')
