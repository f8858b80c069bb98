/** What rules go by. */
export const alertMetrics = [
  ...(['error_rate', 'ttft_p95', 'breaker_open', 'quota_ratio', 'cost_rate_vs_7d', 'estimated_usage_ratio'] as const),
  'no_healthy_target',
] as const

/** How a value is compared. */
export const operators = ['>', '>=', '<', '<='] as const
