import type { BodyOf } from '#kernel/schemas'
import type { compactionBody } from './compaction/schemas.ts'
import type { conversationBody, conversationDetail, messageBody } from './conversations/schemas.ts'
import type { sharedBody, shareBody } from './shares/schemas.ts'
import type { timelinePage } from './timeline/schemas.ts'
import type { tryAnswer } from './unstored/schemas.ts'

/** A conversation as lists show it. */
export type ConversationBody = BodyOf<typeof conversationBody>
/** A conversation with messages. */
export type ConversationDetailBody = BodyOf<typeof conversationDetail>
/** A message. */
export type MessageBody = BodyOf<typeof messageBody>
/** Some of what happened in a conversation. */
export type TimelineBody = BodyOf<typeof timelinePage>
/** Where the compaction of a conversation is. */
export type CompactionBody = BodyOf<typeof compactionBody>
/** A link to what was said, as it is told once. */
export type ShareBody = BodyOf<typeof shareBody>
/** What a link shows. */
export type SharedBody = BodyOf<typeof sharedBody>
/** What the draft of an agent answered. */
export type TriedBody = BodyOf<typeof tryAnswer>
