/** A window over which amounts are added up. */
interface CountedWindow {
  readonly key: string
  readonly milliseconds: number
  /**
   * 1: windows follow one another since 1970. More: the window slides by so many parts and is never shorter than it says, so that no
   * stretch of time of its length has more than its limit.
   */
  readonly parts: number
}

/** An amount that is wanted of a window. */
export interface WindowWish extends CountedWindow {
  /** A whole number, as is the limit. */
  readonly amount: number
  readonly limit: number
}

/** How a window stands. */
export interface WindowStanding {
  /** What is counted, with what was taken. */
  readonly used: number
  /** Where the amount was counted, for whoever gives back of it. */
  readonly part: number
  /** Until the amount that did not fit would, unless others come; 0 where it fitted. */
  readonly waitMs: number
}

/** Adds up amounts in windows of time, for all hosts together; may be lost at any time, as the cache. */
export interface WindowCounter {
  /** Takes all that is wanted, or nothing. */
  take(
    wishes: readonly WindowWish[],
  ): Promise<{ readonly isTaken: boolean; readonly windows: readonly WindowStanding[] }>
  /** Gives back of what was taken, less than nothing being more; what has left its window is past. */
  give(back: readonly { readonly key: string; readonly part: number; readonly amount: number }[]): Promise<void>
  /** Forgets a window. */
  clear(key: string): Promise<void>
  /** Keys that begin so, at most so many. */
  keys(prefix: string, limit: number): Promise<readonly string[]>
}

/** How long each part of a window is: those that are counted come to the whole, however young the last one is. */
export function partMs({ milliseconds, parts }: CountedWindow): number {
  return parts === 1 ? milliseconds : Math.ceil(milliseconds / (parts - 1))
}
