import type { Knex } from 'knex'
import { ValidationFailedError } from '#kernel'
import type { PictureOwner, ProfilePictureKeeper, ProfilePictures } from './contract-pictures.ts'
import { User } from './models.ts'

/** A change of an avatar: an address, or a picture that was uploaded; null is none. */
interface AvatarChange {
  readonly avatarUrl?: string | undefined
  readonly avatarAttachmentId?: string | null | undefined
}

/** The avatars of users: addresses, or pictures that somebody keeps. */
export class Avatars implements ProfilePictures {
  #keeper: ProfilePictureKeeper | undefined

  register(keeper: ProfilePictureKeeper): Disposable {
    this.#keeper = keeper
    return {
      [Symbol.dispose]: () => {
        if (this.#keeper === keeper) this.#keeper = undefined
      },
    }
  }

  /**
   * The address that an avatar has after a change, as part of its transaction, or undefined where it stays; the picture before is let go of.
   * Throws 422/4220 for a picture that cannot be an avatar, and for an address and a picture at once.
   */
  async change(
    trx: Knex.Transaction,
    owner: PictureOwner,
    { avatarUrl, avatarAttachmentId: id }: AvatarChange,
  ): Promise<string | undefined> {
    if (avatarUrl === undefined && id === undefined) return undefined
    if (avatarUrl !== undefined && id !== undefined) throw refused('exclusive', 'stands beside avatar_url')
    const before = await User.of(owner.tenantId, trx).findById(owner.userId).forUpdate()
    if (typeof id === 'string') {
      if (!this.#keeper) throw refused('unavailable', 'pictures cannot be chosen here')
      return this.#keeper.choose(trx, owner, id)
    }
    // Forms send back what they were shown.
    if (avatarUrl !== undefined && avatarUrl === before?.avatarUrl) return undefined
    await this.#keeper?.drop(trx, owner)
    return avatarUrl ?? ''
  }
}

function refused(rule: string, message: string): Error {
  return new ValidationFailedError({ errors: [{ field: 'avatar_attachment_id', rule, message }] })
}
