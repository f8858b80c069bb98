import { processMetrics, textTeller } from '#kernel'
import { audit } from '../access/contract.ts'

/** What the queue is looked after with. */
export const needs = { audit, metrics: processMetrics, teller: textTeller } as const
