import { configReader } from '../config/contract.ts'

/** What the console's server part stands on. */
export const needs = { config: configReader }
