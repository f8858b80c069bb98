import { apiDocument, databaseConnection, processMetrics } from '#kernel'

/** What system stands on. */
export const needs = { connection: databaseConnection, document: apiDocument, metrics: processMetrics }
