import type { FromSchema } from 'json-schema-to-ts'
import type { chatBody } from './schemas.ts'

/** A message to an agent, as the wire has it. */
export type ChatWish = FromSchema<typeof chatBody>
