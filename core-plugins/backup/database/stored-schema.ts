import type { SequencePosition } from './schema-sequences.ts'
import type { DumpedSchema } from './schema.ts'

/** What a backup keeps of the definitions, as one piece. */
export interface StoredSchema extends Pick<DumpedSchema, 'before' | 'after'> {
  readonly positions: readonly SequencePosition[]
}

/** The definitions as they are kept. */
export function encodeSchema({ before, after }: DumpedSchema, positions: readonly SequencePosition[]): Buffer {
  return Buffer.from(JSON.stringify({ before, after, positions } satisfies StoredSchema))
}

/** The definitions of a piece that was checked. */
export function decodeSchema(text: Buffer): StoredSchema {
  return JSON.parse(text.toString('utf8')) as StoredSchema
}
