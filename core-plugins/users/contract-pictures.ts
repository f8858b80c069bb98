import type { Knex } from 'knex'
import { defineService } from '#kernel'

/** Whose picture it is; tenant 0 is the platform. */
export interface PictureOwner {
  readonly tenantId: number
  readonly userId: number
  /** Who chooses it in the user's place; it becomes the user's own. */
  readonly chosenBy?: number
}

/** Keeps pictures that users choose for themselves. */
export interface ProfilePictureKeeper {
  /**
   * Makes one of the user's own pictures the avatar, in place of the one before, as part of a transaction; answers its address, a path of this
   * host. Throws 422/4220 for what is no picture of the user's, or of whoever chooses, that everybody may see.
   */
  choose(trx: Knex.Transaction, owner: PictureOwner, attachmentId: string): Promise<string>
  /** From now on none of them is the user's avatar. */
  drop(trx: Knex.Transaction, owner: PictureOwner): Promise<void>
}

/** Where whoever keeps pictures says so. */
export interface ProfilePictures {
  /** Keeps them until the result is disposed. */
  register(keeper: ProfilePictureKeeper): Disposable
}

/** Where whoever keeps pictures says so. */
export const profilePictures = defineService<ProfilePictures>('users.profile_pictures')
