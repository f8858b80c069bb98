/** A change of one text that lowers a fence, and the test files that must notice it. */
export interface Mutation {
  /** Kebab-case; no two fences use the same. */
  readonly name: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly before: string
  readonly after: string
  /** The few that should notice it: each file once, none that only happens to pass by. */
  readonly tests: readonly string[]
  /** What an attacker gains, or who loses what. */
  readonly why: string
  /** Only tests with this in their title run, where the files are long. */
  readonly grep?: string
  /** Cannot be seen without it: needs STOA_TEST_REDIS_URL. */
  readonly needs?: 'redis'
}

/** Mutations of one fence, which is a file in `fences/`. */
export interface Fence {
  readonly name: string
  readonly mutations: readonly Mutation[]
}
