import type { PageContext, SlotKind } from '../../../../sandbox/sdk/ui/protocol.ts'
import type { SlotEntry } from '../api/slots.ts'
import type { PageFault } from './page-fault.ts'
import type { Params } from './params.ts'

/** A question of a page that the console asks in its own words. */
export type Question =
  | { readonly kind: 'link'; readonly url: string }
  | {
      readonly kind: 'confirm'
      readonly title: string
      readonly text: string
      readonly confirm: string | undefined
      readonly danger: boolean
    }

/** What stands around a frame, and does what its page may ask for. */
export interface Surroundings {
  readonly slot: SlotEntry
  readonly kind: SlotKind
  context(): PageContext
  /** Goes to a route of the page. */
  route(to: string, replace: boolean): void
  /** Goes to another page of the console. */
  leave(path: string): void
  /** Asks the reader; false where they are asked something already. */
  ask(question: Question): Promise<boolean>
  /** Sets the height, in pixels. */
  height(pixels: number): void
  title(text: string): void
  badge(count: number | null): void
  dirty(isDirty: boolean): void
  close(): void
  /**
   * Whether the reader clicked into the frame within the last seconds. The browser has so long to say so: what the page asks after a click
   * may be here before.
   */
  wasClicked(milliseconds?: number): Promise<boolean>
  /** Its code threw something, where its author works on it. */
  fault(fault: PageFault): void
  /** The page may be shown. */
  ready(): void
  /** It has not answered for a while, or answers again. */
  answers(isAnswering: boolean): void
  /** The frame is to go at once: its page did what no page does. */
  remove(): void
}

/** Does what a page asks for, and answers it. */
export type Method = (params: Params, around: Surroundings) => unknown
