import { compileSchemaCheck } from '#kernel'
import type { MemoryKind } from '../tables.ts'

const most = 10
const kinds = ['fact', 'preference', 'goal', 'event'] as const satisfies readonly MemoryKind[]
const number = { type: 'integer', minimum: 1, maximum: 1_000 } as const
const noted = {
  text: { type: 'string', minLength: 1, maxLength: 500 },
  kind: { enum: kinds },
  scope: { enum: ['user', 'conversation'] },
  confidence: { type: 'number', minimum: 0, maximum: 1 },
  source: { type: 'array', minItems: 1, maxItems: 20, items: number, description: 'Numbers of the user’s messages' },
} as const
const required = ['op', 'text', 'kind', 'scope', 'confidence', 'source'] as const

/** All that a model may do with what is remembered; there is no way to delete. */
export const operationsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['operations'],
  properties: {
    operations: {
      type: 'array',
      maxItems: most,
      items: {
        anyOf: [
          { type: 'object', additionalProperties: false, required, properties: { op: { const: 'ADD' }, ...noted } },
          {
            type: 'object',
            additionalProperties: false,
            required: [...required, 'n'],
            properties: { op: { const: 'SUPERSEDE' }, n: number, ...noted },
          },
          { type: 'object', additionalProperties: false, required: ['op'], properties: { op: { const: 'NOOP' } } },
        ],
      },
    },
  },
} as const
const check = compileSchemaCheck(operationsSchema, 'exact', 'lazily')

/** Something that a model noted. */
export interface NotedOperation {
  readonly op: 'ADD' | 'SUPERSEDE'
  /** Of a known memory, as it was shown. */
  readonly n?: number
  readonly text: string
  readonly kind: MemoryKind
  readonly scope: 'user' | 'conversation'
  readonly confidence: number
  /** Numbers of messages, as they were shown. */
  readonly source: readonly number[]
}

/** What a model wants remembered; undefined where its answer is of any other form, as a whole. */
export function readOperations(answer: string): readonly NotedOperation[] | undefined {
  const bare = answer.replaceAll('\0', '').toWellFormed().trim()
  let said: unknown
  try {
    said = JSON.parse(bare.replace(/^```(?:json)?\s*|\s*```$/g, ''))
  } catch {
    return undefined
  }
  if (!check.isValid(said)) return undefined
  const { operations } = said as { operations: readonly (NotedOperation | { readonly op: 'NOOP' })[] }
  return operations.filter((each) => each.op !== 'NOOP')
}
