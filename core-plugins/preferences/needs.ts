import { audit } from '../access/contract.ts'

/** What preferences stands on. */
export const needs = { audit }
