import { objectOf, orNull } from '#kernel/schemas'

/** A user beside an id; null where the user is gone. */
export const namedUser = {
  ...orNull(objectOf({ id: { type: 'integer' }, nickname: { type: 'string' }, avatar_url: { type: 'string' } })),
  additionalProperties: false,
} as const
