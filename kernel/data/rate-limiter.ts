/** Whether one more request fits, and how the caller stands. */
export interface RateLimit {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the oldest request counted leaves the window. */
  readonly resetSeconds: number
}

/** Counts requests in a window that slides; a refused one is not counted. */
export interface RateLimiter {
  hit(key: string, requests: number, seconds: number): Promise<RateLimit>
}
