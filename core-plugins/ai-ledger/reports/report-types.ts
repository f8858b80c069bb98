/** What reports tell. */
export const reportTypes = ['summary', 'cost_by', 'chargeback', 'anomaly', 'reconcile'] as const
