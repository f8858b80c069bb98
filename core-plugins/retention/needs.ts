import { audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'

/** What retention stands on. */
export const needs = { config: configReader, audit }
