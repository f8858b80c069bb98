/** How a request is spread over targets. */
export type Strategy = 'priority' | 'weighted' | 'latency' | 'cost' | 'least_busy' | 'balanced' | 'sticky'

/** When a target is left alone, and how it comes back. */
export interface BreakerSettings {
  /** What is counted, in seconds back. */
  readonly windowS: number
  /** Fewer results in the window say nothing about the rate. */
  readonly minRequests: number
  /** Of 1. */
  readonly errorRate: number
  /** Failures in a row that open it, however few results there are. */
  readonly consecutive: number
  /** The first time that it is open; twice as long each time after. */
  readonly openS: number
  readonly openMaxS: number
  /** Requests at once that try whether the target is back. */
  readonly halfOpenProbes: number
  /** Successes in a row that close it. */
  readonly closeAfter: number
  /** Time in which a target that is back gets its whole share again. */
  readonly slowStartS: number
  /** What is done where no target admits a request. */
  readonly panic: 'least_bad' | 'fail'
}

/** How often a request may be sent once more. */
interface RetrySettings {
  /** Retries that each request allows. */
  readonly budgetRatio: number
  /** Retries a second that are allowed in any case. */
  readonly budgetMinPerS: number
}

/** What routing goes by. */
export interface RoutingSettings {
  readonly breaker: BreakerSettings
  readonly retry: RetrySettings
}

/** The settings of a gateway that says nothing else. */
export const usualRouting: RoutingSettings = {
  breaker: {
    ...{ windowS: 30, minRequests: 10, errorRate: 0.5, consecutive: 5, openS: 5, openMaxS: 120 },
    ...{ halfOpenProbes: 1, closeAfter: 2, slowStartS: 30, panic: 'least_bad' },
  },
  retry: { budgetRatio: 0.2, budgetMinPerS: 3 },
}
