import { processMetrics } from '#kernel'
import { audit } from '../access/contract.ts'

/** What the queue is looked after with. */
export const needs = { audit, metrics: processMetrics } as const
